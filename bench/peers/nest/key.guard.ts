import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request } from 'express';
import { unauthenticated } from '../answers.ts';
import type { KeyCheck } from '../tokens.ts';

export const KEY_CHECK = Symbol('key check');

const keyIds = new WeakMap<Request, string>();

@Injectable()
export class KeyGuard implements CanActivate {
  private readonly keyOf: KeyCheck;

  constructor(@Inject(KEY_CHECK) keyOf: KeyCheck) {
    this.keyOf = keyOf;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const keyId = await this.keyOf(request.headers.authorization);
    if (keyId === undefined) throw new UnauthorizedException(unauthenticated);
    keyIds.set(request, keyId);
    return true;
  }
}

/** The API key of the request. */
export const KeyId = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  keyIds.get(context.switchToHttp().getRequest<Request>()),
);
