// What every endpoint of the auth service is handed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from '../../context.ts';
import { type Limits, openLimits } from './protection/limits.ts';
import { openPasswords, type Passwords } from './users/passwords.ts';

export interface Service {
  context: Context;
  pool: Pool;
  limits: Limits;
  passwords: Passwords;
}

/** Reads the request, does one thing, returns what is sent as JSON; refuses by throwing an AuthError. */
export type Endpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;

export function openService(context: Context): Service {
  const pool = context.database.auth;
  const { auth } = context.settings;
  return {
    context,
    pool,
    limits: openLimits(pool, auth.rate_limit),
    passwords: openPasswords(auth.minimum_password_length),
  };
}
