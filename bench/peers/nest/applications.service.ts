import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { ValidationError } from '../../../core/errors.ts';
import { checkRequestedTenants } from '../../../core/rules/participants.ts';
import type { Data } from '../data.ts';
import type { CreateApplicationRequest } from './requested-application.ts';

export const DATA = Symbol('data');

@Injectable()
export class ApplicationsService {
  private readonly data: Data;

  constructor(@Inject(DATA) data: Data) {
    this.data = data;
  }

  find(keyId: string, applicationId: string) {
    return this.data.findApplication(keyId, applicationId);
  }

  create(keyId: string, request: CreateApplicationRequest) {
    try {
      checkRequestedTenants(request.tenants);
    } catch (error) {
      throw error instanceof ValidationError
        ? new BadRequestException({ status: 'error', message: error.message })
        : error;
    }
    return this.data.createApplication(keyId, request, new Date());
  }
}
