// Finds the token of a link or of digits, by the type in the request.
import type { FastifyRequest } from 'fastify';
import { type Db, transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { guesserOf } from '../protection/guesser.ts';
import type { Service } from '../service.ts';
import {
  type FoundToken,
  type TokenType,
  takeByCode,
  takeByHash,
} from '../tokens/one-time-token.ts';

const CHANGE: TokenType[] = ['email_change_token_new', 'email_change_token_current'];

/** `email` covers both mails of a sign-in: a confirmation for a new account, a link for a known one. */
const TYPES = new Map<string, TokenType[]>([
  ['signup', ['confirmation_token']],
  ['invite', ['confirmation_token']],
  ['magiclink', ['recovery_token', 'confirmation_token']],
  ['recovery', ['recovery_token']],
  ['email', ['confirmation_token', 'recovery_token']],
  ['email_change', CHANGE],
  ['sms', ['confirmation_token']],
  ['phone_change', ['phone_change_token']],
]);

/** @throws AuthError 400 for an unknown type */
export function typesOf(type: string): TokenType[] {
  if (type === '') throw refusals.invalid('Verify requires a verification type');
  const types = TYPES.get(type);
  if (types === undefined) throw refusals.invalid('Invalid email verification type');
  return types;
}

/** GoTrue's name of the flow that a type completes. */
export function flowOf(type: string): string {
  return type === 'signup' ? 'email/signup' : type;
}

/** Runs `then` in the transaction that consumes the link's token. @throws AuthError 403 */
export async function withLink<T>(
  service: Service,
  hash: string,
  types: TokenType[],
  then: (db: Db, token: FoundToken) => Promise<T>,
): Promise<T> {
  const { otp_expiry: lifetime } = service.context.settings.auth.email;
  return transaction(service.pool, async (db) => {
    const token = await takeByHash(db, hash, types, lifetime);
    if (token === undefined) throw refusals.wrongLink();
    return then(db, token);
  });
}

/**
 * Runs `then` in the transaction that consumes the token of the digits.
 * Ten wrong guesses block the address for a while, except from networks that the account is known on.
 * @param address canonical
 * @param refusal error for wrong digits
 * @throws AuthError 403, or 429 after too many wrong ones
 */
export async function withCode<T>(
  service: Service,
  request: FastifyRequest,
  address: string,
  code: string,
  types: TokenType[],
  then: (db: Db, token: FoundToken) => Promise<T>,
  refusal: () => Error = refusals.wrongCode,
): Promise<T> {
  const { limits } = service;
  const { email, sms } = service.context.settings.auth;
  const { otp_expiry: lifetime } = address.includes('@') ? email : sms;
  const guesser = await guesserOf(service.pool, request, address);
  await limits.codes.requireOpen(guesser);
  const result = await transaction(service.pool, async (db) => {
    const token = await takeByCode(db, address, code, types, lifetime);
    return token === undefined ? undefined : { value: await then(db, token) };
  });
  if (result === undefined) {
    await limits.codes.wrong(guesser);
    throw refusal();
  }
  await limits.codes.right(guesser);
  return result.value;
}
