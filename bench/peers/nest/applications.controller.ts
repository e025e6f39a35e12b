import { Body, Controller, Get, HttpCode, NotFoundException, Param, Post, UseGuards } from '@nestjs/common';
import { createdAnswer, foundAnswer, notFound } from '../answers.ts';
// biome-ignore lint/style/useImportType: Nest injects by class
import { ApplicationsService } from './applications.service.ts';
import { KeyGuard, KeyId } from './key.guard.ts';
// biome-ignore lint/style/useImportType: and by this one what is validated
import { CreateApplicationRequest } from './requested-application.ts';

@Controller('applications')
@UseGuards(KeyGuard)
export class ApplicationsController {
  private readonly applications: ApplicationsService;

  constructor(applications: ApplicationsService) {
    this.applications = applications;
  }

  @Post('create-application')
  @HttpCode(200)
  async create(@KeyId() keyId: string, @Body() request: CreateApplicationRequest) {
    return createdAnswer(await this.applications.create(keyId, request));
  }

  @Get(':applicationId')
  async find(@KeyId() keyId: string, @Param('applicationId') applicationId: string) {
    const found = await this.applications.find(keyId, applicationId);
    if (!found) throw new NotFoundException(notFound);
    return foundAnswer(found, new Date());
  }
}
