import 'reflect-metadata';
import { BadRequestException, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Data } from '../data.ts';
import { openData } from '../open-data.ts';
import { createKeyCheck } from '../tokens.ts';
import { ApplicationsController } from './applications.controller.ts';
import { ApplicationsService, DATA } from './applications.service.ts';
import { KEY_CHECK } from './key.guard.ts';

@Module({
  controllers: [ApplicationsController],
  providers: [
    ApplicationsService,
    { provide: DATA, useFactory: openData },
    { provide: KEY_CHECK, useFactory: (data: Data) => createKeyCheck(data), inject: [DATA] },
  ],
})
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
app.disable('x-powered-by');
// As in the service: responses are not cacheable.
app.disable('etag');
app.setGlobalPrefix('api/v1');
app.useGlobalPipes(
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (faults) => new BadRequestException({ status: 'error', message: String(faults[0]) }),
  }),
);
await app.listen(Number(process.env['PORT']), '127.0.0.1');
