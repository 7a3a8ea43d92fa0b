// What every endpoint of the auth service is given.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from '../../context.ts';
import { openSmsSender } from '../../sms/open-sender.ts';
import type { SmsSender } from '../../sms/sender.ts';
import { openPasswords, type Passwords, readCommonPasswords } from './passwords/passwords.ts';
import { type Limits, openLimits } from './protection/limits.ts';
import { type Discovery, openDiscovery } from './providers/discovery.ts';

export interface Service {
  context: Context;
  pool: Pool;
  limits: Limits;
  passwords: Passwords;
  discovery: Discovery;
  /** Undefined if no carrier of text messages is configured. */
  sms: SmsSender | undefined;
  /**
   * Runs a task after the response: the response time of a mail request must not tell whether the account exists. Failures
   * are logged.
   */
  later(request: FastifyRequest, work: () => Promise<void>): void;
  /** Waits for tasks that still run. */
  settle(): Promise<void>;
}

/** Reads the request and returns the JSON response; refuses by throwing an AuthError. */
export type Endpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;

export async function openService(context: Context): Promise<Service> {
  const pool = context.database.auth;
  const { auth } = context.settings;
  const isCommon = auth.password_common_list
    ? await readCommonPasswords(context.sourceDir)
    : () => false;
  const open = new Set<Promise<void>>();
  return {
    context,
    pool,
    limits: openLimits(pool, auth),
    passwords: openPasswords(auth.minimum_password_length, isCommon),
    discovery: openDiscovery(),
    sms: openSmsSender(context.settings),
    later: (request, work) => {
      const done: Promise<void> = work()
        .catch((error: unknown) => {
          request.log.error({ err: error }, 'work after the answer failed');
        })
        .finally(() => open.delete(done));
      open.add(done);
    },
    settle: async () => {
      await Promise.all(open);
    },
  };
}
