<?php

use GuzzleHttp\Client;
use OpenAPI\Client\Api\ApplicationsApi;
use OpenAPI\Client\Api\AuthenticationApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\ApplicationDraft;
use OpenAPI\Client\Model\ApplicationDraftTenant;

require 'vendor/autoload.php';

$configuration = (new Configuration())->setHost(getenv('BASE_URL'));
$configuration->setUsername(getenv('CLIENT_ID'))->setPassword(getenv('CLIENT_SECRET'));
$issued = (new AuthenticationApi(new Client(), $configuration))->generateToken()->getData();
$configuration->setAccessToken($issued->getAccessToken());

$applications = new ApplicationsApi(new Client(), $configuration);
$lead = new ApplicationDraftTenant(['email' => 'amina.diallo@mail.example', 'is_lead' => true]);
$other = new ApplicationDraftTenant(['email' => 'noah.meyer@mail.example']);
$draft = new ApplicationDraft(['title' => 'Studio', 'tenants' => [$lead, $other]]);
$created = $applications->createApplication($draft)->getData();
$found = $applications->getApplication($created->getApplicationId())->getData();
echo "{$found->getTitle()} ({$found->getApplicationId()})\n";
foreach ($found->getParticipants() as $person) {
    echo "  {$person->getEmail()}: {$person->getConsentStatus()}\n";
}
