import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from '../../context.ts';
import { readAddress } from '../../http/request.ts';
import { openSmsSender, type SmsSender } from '../../sms/sender.ts';
import { openPasswords, type Passwords, readCommonPasswords } from './passwords/passwords.ts';
import { type Limits, openLimits } from './protection/limits.ts';
import { Discovery } from './providers/discovery.ts';

export interface Service {
  context: Context;
  pool: Pool;
  limits: Limits;
  passwords: Passwords;
  discovery: Discovery;
  /** Undefined if no carrier of text messages is configured. */
  sms: SmsSender | undefined;
  /** Tasks after responses that still run. */
  open: Set<Promise<void>>;
}

/** The service and one request to it. */
export interface Call extends Service {
  request: FastifyRequest;
  reply: FastifyReply;
  /** IP address. */
  address: string;
  /** Cut to a length that a list of devices can show. */
  userAgent: string;
  /**
   * Runs a task after the response: the response time of a mail request must not tell whether the account exists. Failures
   * are logged.
   */
  later(work: () => Promise<void>): void;
}

/** Reads the request and returns the JSON response, or throws an AuthError. */
export type Endpoint = (call: Call) => Promise<unknown>;

export function toCall(service: Service, request: FastifyRequest, reply: FastifyReply): Call {
  const later = (work: () => Promise<void>): void => {
    const done: Promise<void> = work()
      .catch((error: unknown) =>
        request.log.error({ err: error }, 'work after the response failed'),
      )
      .finally(() => service.open.delete(done));
    service.open.add(done);
  };
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 512);
  return { ...service, request, reply, address: readAddress(request), userAgent, later };
}

export async function openService(context: Context): Promise<Service> {
  const pool = context.database.auth;
  const { auth } = context.settings;
  const isCommon = auth.password_common_list
    ? await readCommonPasswords(context.sourceDir)
    : () => false;
  return {
    context,
    pool,
    limits: openLimits(pool, auth),
    passwords: openPasswords(auth.minimum_password_length, isCommon),
    discovery: new Discovery(),
    sms: openSmsSender(context.settings, context.tracing),
    open: new Set(),
  };
}
