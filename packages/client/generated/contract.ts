// Generated from openapi.yaml by `npm run generate`. Never edited by hand.

export interface paths {
    "/authenticate/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate an access token
         * @description Send `client_id` and `client_secret` as HTTP Basic user name and password. Credentials in a JSON body are not
         *     accepted. The token is valid for one hour.
         */
        post: operations["generateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/create-application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an application
         * @description Creates an application for one to five people, exactly one of whom is the lead. Their e-mail addresses need not belong
         *     to an account: no tenant is looked up or created. Every participant starts with `consent_status` `pending`, and each except the
         *     lead receives an invitation by e-mail. The property is linked later, with the tenant's onboarding token.
         *
         *     If your API key already has an application whose active participants have exactly these e-mail addresses, that
         *     application is returned with another message and no invitations are sent. It keeps its own lead and title.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an application
         * @description Returns an application created with the authenticated API key. The participants carry no role here:
         *     `is_lead` and `is_guarantor` are left out.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/participants/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a participant
         * @description Removes one participant from an application. The lead cannot be removed; the lead must be transferred first. If the
         *     removal affected a pending payment, the response carries `warnings`.
         */
        delete: operations["removeParticipant"];
        options?: never;
        head?: never;
        /**
         * Update a participant
         * @description Changes the name or the guarantor role of one participant. Omitted fields stay unchanged. The e-mail address
         *     identifies the participant and cannot be changed.
         */
        patch: operations["updateParticipant"];
        trace?: never;
    };
    "/tenants/initiate-kyc/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start an identity verification (KYC)
         * @description Starts an identity verification. It continues in the background: learn of its completion from the webhook event
         *     `KYC_VERIFICATION_DATA` or from the iframe events, not from this response.
         *
         *     While a verification is under way, this call returns that one. After it has ended, successfully or not, the call starts
         *     another. In live, it starts at most one an hour for each person: until then, it returns the last one, and continues one that
         *     has expired. A flow or an analysis that does not succeed sends no webhook event.
         *
         *     This `GET` has an effect. Prevent prefetching, link previews and automatic retries.
         *
         *     When the verification runs in an iframe, the parent window receives `KYC_COMPLETED` (success), `KYC_ERROR` (error or
         *     failure) or `KYC_USER_EXIT` (the person left). Each is posted as a plain string.
         */
        get: operations["initiateKyc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/initiate-eid/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a national electronic-identity verification
         * @description Returns a link to an external page where the tenant is verified. This call returns no documents: after a
         *     success they are downloaded in the background, and the event `EID_SUCCESS` signals that they are available.
         *
         *     Only a success sends the tenant on to your `redirect_url`, once. A flow that is cancelled, fails or expires ends on a
         *     hosted page, which offers another try. A flow or an analysis that does not succeed sends no webhook event.
         */
        post: operations["initiateEid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenants/run-forensic/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run a forensic analysis
         * @description Queues an analysis of the tenant's documents and returns its state without waiting for the result. Normally you
         *     need not call it: the service starts the analysis once its prerequisites are met.
         *
         *     | `processing_status` | meaning | `added_to_queue` |
         *     |---|---|---|
         *     | `PENDING` | the tenant already waits for the processor | false |
         *     | `PROCESSING` | the processor works on the tenant | false |
         *     | `DOCUMENTS_ANALYSIS_NOT_FOUND` | there are no documents and nothing was analysed yet | false |
         *     | `KYC_PENDING` | the identity verification is not completed | false |
         *     | `QUEUED` | the tenant was added and is processed shortly | true |
         *
         *     The first row that matches applies. When the analysis completes successfully, the event `FORENSIC_ANALYSIS_DATA` is sent.
         *     A flow or an analysis that does not succeed sends no webhook event. Once an analysis has ended, successfully or not, a
         *     later call queues the tenant again. Within a minute after a result, a call answers `PENDING`: the tenant is processed at
         *     the end of that minute.
         *
         *     This `GET` has an effect. Prevent prefetching, link previews and automatic retries.
         */
        get: operations["runForensic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/property-management/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accessible workspaces
         * @description Lists the workspaces of the authenticated landlord. Requests for a property need their `workspace_id`.
         */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/property-management/properties/{property_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a property
         * @description Returns one property of a workspace to which the authenticated landlord has access. Identify the workspace by its public UUID, not
         *     by an internal database identifier.
         */
        get: operations["getProperty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/create-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a webhook
         * @description Registers a URL that receives system events. It must accept `POST`. It receives every event that your API key
         *     causes.
         *
         *     With a `secret`, each delivery is signed over the exact bytes of its body; the secret itself is never sent. The scheme
         *     is Standard Webhooks.
         *
         *     Any 2xx answer within 15 seconds acknowledges a delivery; redirects are not followed. Any other outcome is retried at
         *     growing intervals over about a day, with the same body and `webhook-id`. Deliveries may arrive twice and in any order.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The request was processed.
         * @enum {string}
         */
        Success: "success";
        /** @description The body of every failed request. */
        Error: {
            /**
             * @description The request failed.
             * @enum {string}
             */
            status: "error";
            /** @description What is wrong. */
            message: string;
        };
        /** @description One offending input. */
        FieldError: {
            /** @description Path of the input with dots between its steps. */
            field: string;
            /** @description What is wrong with it. */
            message: string;
        };
        /** @description The body of a failed property-management request; `errors` is present on validation failures. */
        PropertyManagementError: {
            /**
             * @description The request failed.
             * @enum {string}
             */
            status: "error";
            /** @description What is wrong. */
            message: string;
            /** @description Each offending input. */
            errors?: components["schemas"]["FieldError"][];
        };
        /**
         * Format: email
         * @description An e-mail address. It is stored as given and compared case-insensitively.
         */
        Email: string;
        /** @description A bearer token. */
        AccessToken: {
            /** @description The token to send as bearer. */
            access_token: string;
            /**
             * @description The kind of token.
             * @enum {string}
             */
            token_type: "Bearer";
            /** @description Seconds until the token expires. */
            expires_in: number;
        };
        /** @description A new bearer token. */
        AccessTokenEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that a token was generated. */
            message: string;
            data: components["schemas"]["AccessToken"];
        };
        /** @description An application to create. */
        ApplicationDraft: {
            /** @description Title of the application. */
            title: string;
            /** @description The people who apply. Their e-mail addresses differ, and exactly one is the lead. */
            tenants: components["schemas"]["ApplicationDraftTenant"][];
        };
        /** @description A person who applies. */
        ApplicationDraftTenant: {
            email: components["schemas"]["Email"];
            /**
             * @description Whether the person leads the application. Exactly one person must.
             * @default false
             */
            is_lead?: boolean;
        };
        /** @description Summary of the application. */
        CreatedApplication: {
            /** @description Identifier of the application. */
            application_id: string;
            /** @description Title of the application. */
            title: string;
        };
        /** @description The application, new or existing. */
        CreatedApplicationEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Says whether the application is new. */
            message: string;
            data: components["schemas"]["CreatedApplication"];
        };
        /**
         * @description Whether the person accepted the invitation.
         * @enum {string}
         */
        ConsentStatus: "pending" | "accepted" | "rejected";
        /**
         * @description Whether the person finished onboarding, computed from the current profile of the linked tenant.
         * @enum {string}
         */
        OnboardingStatus: "COMPLETED" | "PENDING" | "OUTDATED";
        /** @description The person's name. It is empty until it is set. */
        ParticipantName: string;
        /** @description Identifier of the tenant, if the person has an account. It is null otherwise. */
        LinkedTenantId: string | null;
        /** @description A participant without roles. */
        ModularParticipantSummary: {
            name: components["schemas"]["ParticipantName"];
            email: components["schemas"]["Email"];
            consent_status: components["schemas"]["ConsentStatus"];
            onboarding_status: components["schemas"]["OnboardingStatus"];
            id: components["schemas"]["LinkedTenantId"];
        };
        /** @description A participant of an application. */
        ModularParticipant: {
            name: components["schemas"]["ParticipantName"];
            email: components["schemas"]["Email"];
            consent_status: components["schemas"]["ConsentStatus"];
            onboarding_status: components["schemas"]["OnboardingStatus"];
            id: components["schemas"]["LinkedTenantId"];
            /** @description Whether the person leads the application. */
            is_lead: boolean;
            /** @description Whether the person joins as a guarantor. */
            is_guarantor: boolean;
        };
        /** @description An application whose participants show no roles. */
        ModularApplicationSummary: {
            /** @description Identifier of the application. */
            application_id: string;
            /** @description Title of the application. */
            title: string;
            /** @description The people who apply. */
            participants: components["schemas"]["ModularParticipantSummary"][];
            /**
             * Format: date-time
             * @description When the application was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the application last changed.
             */
            updated_at: string;
        };
        /** @description An application. */
        ModularApplication: {
            /** @description Identifier of the application. */
            application_id: string;
            /** @description Title of the application. */
            title: string;
            /** @description The people who apply. */
            participants: components["schemas"]["ModularParticipant"][];
            /**
             * Format: date-time
             * @description When the application was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the application last changed.
             */
            updated_at: string;
        };
        /** @description Present when the removal affected a pending payment. */
        RemovalWarnings: {
            /** @description Whether the affected payment was protected. */
            service_protect_affected: boolean;
        } | null;
        /** @description An application after a participant left. */
        ModularApplicationAfterRemoval: {
            /** @description Identifier of the application. */
            application_id: string;
            /** @description Title of the application. */
            title: string;
            /** @description The people who apply. */
            participants: components["schemas"]["ModularParticipant"][];
            /**
             * Format: date-time
             * @description When the application was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the application last changed.
             */
            updated_at: string;
            warnings?: components["schemas"]["RemovalWarnings"];
        };
        /** @description The application. */
        ApplicationEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the application was found. */
            message: string;
            data: components["schemas"]["ModularApplicationSummary"];
        };
        /** @description The fields to change. */
        ParticipantChanges: {
            /** @description The person's name. */
            name?: string;
            /** @description Whether the person joins as a guarantor. */
            is_guarantor?: boolean;
        };
        /** @description The whole application after the change. */
        UpdatedApplicationEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the participant was updated. */
            message: string;
            data: components["schemas"]["ModularApplication"];
        };
        /** @description The application without the participant. */
        RemainingApplicationEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the participant was removed. */
            message: string;
            data: components["schemas"]["ModularApplicationAfterRemoval"];
        };
        /** @description A verification that is under way. */
        KycEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the verification started. */
            message: string;
            /** @description How to show the verification to the tenant. More fields may be added. */
            data: {
                /**
                 * Format: uri
                 * @description URL of the page where the tenant verifies.
                 */
                verification_url: string;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description The URL to which the tenant is sent after verification. */
        EidReturn: {
            /**
             * Format: uri
             * @description Where the tenant is sent after verification, as a valid, publicly reachable URL. It is an absolute http or https
             *     URL without credentials. Live accepts only https; the sandbox also accepts loopback addresses.
             */
            redirect_url: string;
        };
        /** @description A flow that has started. */
        EidEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the flow started. */
            message: string;
            /** @description Contains the link. */
            data: {
                /**
                 * Format: uri
                 * @description Link to the external page to which you send the tenant.
                 */
                verification_link: string;
            };
        };
        /**
         * @description The tenant's state in the forensic queue.
         * @enum {string}
         */
        ForensicProcessingStatus: "PENDING" | "PROCESSING" | "DOCUMENTS_ANALYSIS_NOT_FOUND" | "KYC_PENDING" | "QUEUED";
        /** @description The tenant's state. */
        ForensicEnvelope: {
            status: components["schemas"]["Success"];
            /** @description The processing status in words. */
            message: string;
            /** @description The processing status and what this call did. */
            data: {
                processing_status: components["schemas"]["ForensicProcessingStatus"];
                /** @description Whether this call added the tenant to the queue. */
                added_to_queue: boolean;
            };
        };
        /** @description A workspace of the landlord. */
        Workspace: {
            /**
             * Format: uuid
             * @description Public UUID of the workspace.
             */
            workspace_id: string;
            /** @description Name of the workspace. */
            workspace_name: string;
        };
        /** @description The landlord's workspaces. */
        WorkspacesEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the list follows. */
            message: string;
            /** @description Contains the list. */
            data: {
                /** @description The workspaces. */
                workspaces: components["schemas"]["Workspace"][];
            };
        };
        /** @description A property. Fields without a value are left out. */
        Property: {
            /** @description Unique identifier of the property. */
            property_id?: string;
            /** @description Public UUID of its workspace. */
            workspace_id?: string;
            /** @description Reference of the property. */
            property_reference?: string;
            /** @description The rent. Its currency and period are not given. */
            rent_amount?: number;
            /** @description Name of the street. */
            street?: string;
            /** @description Number in the street. */
            street_number?: number;
            /** @description Entrance or stairwell in the address. */
            entrance_stairwell?: string;
            /** @description Floor in the address. */
            floor?: number;
            /** @description Letter in the address. */
            letter?: string;
            /** @description Postal code in the address. */
            postal_code?: string;
            /** @description Municipality in the address. */
            municipality?: string;
            /** @description Province in the address. */
            province?: string;
            /** @description Number of bedrooms. */
            bedrooms?: number;
            /** @description Number of bathrooms. */
            bathrooms?: number;
        };
        /** @description The property. */
        PropertyEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the property was found. */
            message: string;
            /** @description Contains the property. */
            data: {
                property: components["schemas"]["Property"];
            };
        };
        /** @description A URL to register. */
        WebhookRegistration: {
            /**
             * Format: uri
             * @description The receiving address, which must accept `POST`. It is an absolute, publicly reachable http or https URL without
             *     credentials. Live accepts only https; the sandbox also accepts loopback addresses.
             */
            url: string;
            /** @description Secret that signs each delivery. It is base64, with or without the prefix `whsec_`, or any other text. */
            secret?: string;
        };
        /** @description A registered URL. */
        Webhook: {
            /** @description Identifier of the webhook. */
            id: string;
            /** @description URL that receives the deliveries. */
            url: string;
            /** @description The signing secret you supplied, if any. */
            secret?: string;
            /**
             * @description A webhook is active from its creation.
             * @enum {string}
             */
            status: "active";
            /**
             * Format: date-time
             * @description When a delivery was last attempted; absent before the first.
             */
            last_triggered_at?: string;
        };
        /** @description The new webhook. */
        WebhookEnvelope: {
            status: components["schemas"]["Success"];
            /** @description Confirms that the webhook was created. */
            message: string;
            data: components["schemas"]["Webhook"];
        };
        /** @description The national electronic-identity flow succeeded. */
        EidSuccessEvent: {
            /**
             * @description The kind of event.
             * @enum {string}
             */
            event: "EID_SUCCESS";
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        /** @description A tenant's identity was verified. */
        KycVerificationDataEvent: {
            /**
             * @description The kind of event.
             * @enum {string}
             */
            event: "KYC_VERIFICATION_DATA";
            /** @description The result of the verification. All of it is provisional. */
            data: {
                /** @description Identifier of the tenant who was verified. */
                tenant_id?: string;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description A tenant's documents were analysed. */
        ForensicAnalysisDataEvent: {
            /**
             * @description The kind of event.
             * @enum {string}
             */
            event: "FORENSIC_ANALYSIS_DATA";
            /** @description The result of the analysis. All of it is provisional. */
            data: {
                /** @description Identifier of the tenant whose documents were analysed. */
                tenant_id?: string;
            } & {
                [key: string]: unknown;
            };
        };
    };
    responses: {
        /** @description The path is malformed, or contains no valid e-mail address. */
        BadParticipantPath: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path is malformed, or the API key has reached its daily limit of verifications. */
        NotStarted: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path is malformed. */
        BadPath: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Authorization` header is missing, or its token is invalid or expired. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticateBearer"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such application, or it belongs to another API key. */
        ApplicationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such application or participant, or it belongs to another API key. */
        ParticipantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such tenant among the participants of your applications who have not declined. */
        TenantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something unexpected failed. Try again after a short delay. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Authorization` header is missing, or its token is invalid or expired. */
        PropertyManagementUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticateBearer"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PropertyManagementError"];
            };
        };
        /** @description Something unexpected failed. Try again after a short delay. */
        PropertyManagementServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PropertyManagementError"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the application. A UUID may be in lower or upper case.
         * @example 0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90
         */
        ApplicationId: string;
        /**
         * @description E-mail address of the participant.
         * @example jonas.weber@mail.example
         */
        ParticipantEmail: components["schemas"]["Email"];
        /**
         * @description Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case.
         * @example 5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948
         */
        TenantId: string;
        /**
         * @description Identifies the delivery and stays the same in retries. Present when the webhook has a secret.
         * @example msg_0d9c8b7a65f44e3d2c1b0a9f8e7d6c5b
         */
        WebhookIdHeader: string;
        /**
         * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Present when the webhook has a secret.
         * @example 1772444403
         */
        WebhookTimestampHeader: string;
        /**
         * @description One or more signatures, separated by spaces, each `v1,` followed by the base64 HMAC-SHA256 of
         *     `{webhook-id}.{webhook-timestamp}.{body}`. Accept the delivery if one of them matches. Present when the webhook has a
         *     secret. The example signs the example of `EID_SUCCESS`, without spaces in its body, with the secret of the example of
         *     createWebhook.
         * @example v1,geoQgaZr0LL+230ty7Vv1ZAS84MylBk3NDHvLSbcBCM=
         */
        WebhookSignatureHeader: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in the service's log; name it when you ask for support. An `X-Request-Id` of up to 64 letters, digits, `_`, `.` and `-` that you send is kept.
         * @example 2f1c9a7e-84d3-4b60-9a5e-7c0d1e2f3a4b
         */
        RequestId: string;
        /** @description The response is a secret and must not be cached. */
        NoStore: "no-store";
        /** @description States that a bearer token is needed, and whether the one sent was refused. Each example belongs to the example of the body with the same name. */
        WwwAuthenticateBearer: string;
        /**
         * @description States that HTTP Basic credentials are needed.
         * @example Basic realm="token", charset="UTF-8"
         */
        WwwAuthenticateBasic: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    generateToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new bearer token. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenEnvelope"];
                };
            };
            /** @description The credentials are missing, not sent as HTTP Basic, unknown or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticateBasic"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The title and the people who apply. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplicationDraft"];
            };
        };
        responses: {
            /** @description The application, new or existing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApplicationEnvelope"];
                };
            };
            /** @description The body breaks a rule. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["ServerError"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the application. A UUID may be in lower or upper case.
                 * @example 0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90
                 */
                applicationId: components["parameters"]["ApplicationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationEnvelope"];
                };
            };
            400: components["responses"]["BadPath"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ApplicationNotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    removeParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the application. A UUID may be in lower or upper case.
                 * @example 0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description E-mail address of the participant.
                 * @example jonas.weber@mail.example
                 */
                email: components["parameters"]["ParticipantEmail"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application without the participant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemainingApplicationEnvelope"];
                };
            };
            400: components["responses"]["BadParticipantPath"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ParticipantNotFound"];
            /** @description The participant is the lead. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["ServerError"];
        };
    };
    updateParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the application. A UUID may be in lower or upper case.
                 * @example 0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90
                 */
                applicationId: components["parameters"]["ApplicationId"];
                /**
                 * @description E-mail address of the participant.
                 * @example jonas.weber@mail.example
                 */
                email: components["parameters"]["ParticipantEmail"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParticipantChanges"];
            };
        };
        responses: {
            /** @description The whole application after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedApplicationEnvelope"];
                };
            };
            /** @description The body or the path breaks a rule. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ParticipantNotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    initiateKyc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case.
                 * @example 5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948
                 */
                tenantId: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verification is under way. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycEnvelope"];
                };
            };
            400: components["responses"]["NotStarted"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TenantNotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    initiateEid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case.
                 * @example 5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948
                 */
                tenantId: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        /** @description The URL to which the tenant is sent after verification. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EidReturn"];
            };
        };
        responses: {
            /** @description The link to send the tenant to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EidEnvelope"];
                };
            };
            /** @description The `redirect_url` is missing or cannot be used, or the API key has reached its daily limit of verifications. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TenantNotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    runForensic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case.
                 * @example 5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948
                 */
                tenantId: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant's state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForensicEnvelope"];
                };
            };
            400: components["responses"]["BadPath"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TenantNotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacesEnvelope"];
                };
            };
            401: components["responses"]["PropertyManagementUnauthorized"];
            500: components["responses"]["PropertyManagementServerError"];
        };
    };
    getProperty: {
        parameters: {
            query: {
                /**
                 * @description Public UUID of the property's workspace, as listed by the workspaces operation. A UUID may be in lower or upper case.
                 * @example 7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d
                 */
                workspace_id: string;
            };
            header?: never;
            path: {
                /**
                 * @description Unique identifier of the property. A UUID may be in lower or upper case.
                 * @example 3f2b1a09-8c7d-4e6f-a5b4-c3d2e1f00918
                 */
                property_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The property. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyEnvelope"];
                };
            };
            /** @description The workspace is missing or is not a UUID. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyManagementError"];
                };
            };
            401: components["responses"]["PropertyManagementUnauthorized"];
            /** @description No such property in your workspaces. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyManagementError"];
                };
            };
            500: components["responses"]["PropertyManagementServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The URL and, if deliveries are to be signed, the secret. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRegistration"];
            };
        };
        responses: {
            /** @description The webhook, active from now on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEnvelope"];
                };
            };
            /** @description The body breaks a rule. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["ServerError"];
        };
    };
}
