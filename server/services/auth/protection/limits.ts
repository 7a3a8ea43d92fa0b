// Limits on attempts, per address and per account, counted in PostgreSQL so that all processes agree.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../../../settings.ts';
import { refusals } from '../errors/catalogue.ts';
import { networkOf } from './address.ts';

const FIVE_MINUTES_S = 300;

export interface Limits {
  /** Counts a sign-in or sign-up. @throws AuthError 429 */
  signIn(address: string): Promise<void>;
  /** Counts a refresh. @throws AuthError 429 */
  refresh(address: string): Promise<void>;
  /** @throws AuthError 429 while the account has had too many wrong passwords */
  requireOpenAccount(account: string): Promise<void>;
  /** Counts a wrong password. @throws AuthError 429 when it is one too many */
  wrongPassword(account: string): Promise<void>;
  /** Forgets wrong passwords after the right one. */
  rightPassword(account: string): Promise<void>;
}

function refusal(failure: unknown): unknown {
  if (!(failure instanceof RateLimiterRes)) return failure;
  return refusals.tooMany(Math.max(1, Math.ceil(failure.msBeforeNext / 1000)));
}

export function openLimits(pool: Pool, settings: Settings['auth']['rate_limit']): Limits {
  const store = {
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'auth',
    tableName: 'attempts',
    tableCreated: true,
  };
  const perAddress = (keyPrefix: string, points: number): RateLimiterPostgres =>
    new RateLimiterPostgres({
      ...store,
      keyPrefix,
      points,
      duration: FIVE_MINUTES_S,
      // A flood is then refused without asking the database.
      inMemoryBlockOnConsumed: points + 1,
    });
  const signIns = perAddress('sign-in', settings.sign_in_sign_ups);
  const refreshes = perAddress('refresh', settings.token_refresh);
  const { wrong_passwords: points, wrong_passwords_window: duration } = settings;
  const wrong = new RateLimiterPostgres({
    ...store,
    keyPrefix: 'wrong-password',
    points,
    duration,
  });

  const consume = async (of: RateLimiterPostgres, key: string): Promise<void> => {
    await of.consume(key).catch((failure: unknown) => {
      throw refusal(failure);
    });
  };
  // Hashed: the counters need no list of addresses, and the key has a fixed length.
  const keyOf = (account: string): string => createHash('sha256').update(account).digest('hex');

  return {
    signIn: (address) => consume(signIns, networkOf(address)),
    refresh: (address) => consume(refreshes, networkOf(address)),
    requireOpenAccount: async (account) => {
      const state = await wrong.get(keyOf(account));
      if (state !== null && state.consumedPoints >= points) throw refusal(state);
    },
    wrongPassword: (account) => consume(wrong, keyOf(account)),
    rightPassword: async (account) => {
      await wrong.delete(keyOf(account));
    },
  };
}
