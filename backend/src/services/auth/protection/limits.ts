// Rate limits per address and per account, counted in PostgreSQL so that all processes share them.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { toNetwork } from '../../../http/request.ts';
import type { Settings } from '../../../settings/settings.ts';
import { errors } from '../errors.ts';

const FIVE_MINUTES_S = 300;

/** Who tries a password or a code: the account, and the network of the request. */
export interface Guesser {
  /** Canonical e-mail address or phone number, whether or not the account exists. */
  account: string;
  network: string;
  /** Whether the account was used from this network recently. */
  isKnown: boolean;
}

/** A limit on wrong guesses in a period. */
export interface Guesses<By> {
  /** @throws AuthError 429 after too many */
  requireOpen(by: By): Promise<void>;
  /** Counts a wrong guess. @throws AuthError 429 if it exceeds the limit */
  wrong(by: By): Promise<void>;
  /** Resets the count after a right guess. */
  right(by: By): Promise<void>;
}

const HOUR_S = 3600;

type ErrorOf = (retryAfterSeconds: number) => Error;

async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  error: ErrorOf = errors.tooMany,
): Promise<void> {
  await limiter.consume(key).catch((failure: unknown) => {
    throw failure instanceof RateLimiterRes ? error(secondsLeft(failure)) : failure;
  });
}

const secondsLeft = (state: RateLimiterRes): number =>
  Math.max(1, Math.ceil(state.msBeforeNext / 1000));

/** Hashed: the counters need no plain addresses, and the key has a fixed length. */
const keyOf = (account: string): string => createHash('sha256').update(account).digest('hex');

function guesses(limiter: RateLimiterPostgres): Guesses<string> {
  return {
    requireOpen: async (account) => {
      const state = await limiter.get(keyOf(account));
      if (state !== null && state.consumedPoints >= limiter.points) {
        throw errors.tooMany(secondsLeft(state));
      }
    },
    wrong: (account) => consume(limiter, keyOf(account)),
    right: async (account) => {
      await limiter.delete(keyOf(account));
    },
  };
}

/**
 * Counts by account and network, so that an attacker elsewhere can't lock the owner out. All networks that are not known for
 * the account share a second count, which bounds guessing from many addresses.
 */
function guessesByNetwork(own: Guesses<string>, strangers: Guesses<string>): Guesses<Guesser> {
  const keyOfOwn = ({ account, network }: Guesser): string => `${account} ${network}`;
  return {
    requireOpen: async (guesser) => {
      await own.requireOpen(keyOfOwn(guesser));
      if (!guesser.isKnown) await strangers.requireOpen(guesser.account);
    },
    wrong: async (guesser) => {
      await own.wrong(keyOfOwn(guesser));
      if (!guesser.isKnown) await strangers.wrong(guesser.account);
    },
    // The shared count stays: a sign-in of the owner must not allow attackers more guesses.
    right: (guesser) => own.right(keyOfOwn(guesser)),
  };
}

export type Limits = ReturnType<typeof openLimits>;

export function openLimits(pool: Pool, { rate_limit: limits, email, sms }: Settings['auth']) {
  const limiter = (keyPrefix: string, points: number, duration: number, options = {}) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      ...options,
    });
  const perAddress = (keyPrefix: string, points: number) => {
    // Blocked addresses are kept in memory, so a flood does not reach the database.
    const blocking = { inMemoryBlockOnConsumed: points + 1 };
    const counted = limiter(keyPrefix, points, FIVE_MINUTES_S, blocking);
    return (address: string): Promise<void> => consume(counted, toNetwork(address));
  };
  /** @param pause seconds between two messages of a kind to one recipient */
  const perRecipient = (
    keyPrefix: string,
    perHour: number,
    pause: number,
    tooSoon: ErrorOf,
    tooMany: ErrorOf,
  ) => {
    const all = limiter(keyPrefix, perHour, HOUR_S);
    // A duration of 0 would never expire.
    const pauses = limiter(`${keyPrefix}-pause`, 1, Math.max(1, pause));
    return async (kind: string, recipient: string): Promise<void> => {
      if (pause > 0) await consume(pauses, keyOf(`${kind} ${recipient}`), tooSoon);
      await consume(all, keyOf(recipient), tooMany);
    };
  };
  const { wrong_passwords: perNetwork, wrong_passwords_total: total } = limits;
  const counted = (keyPrefix: string, points: number): Guesses<string> =>
    guesses(limiter(keyPrefix, points, limits.wrong_passwords_window));
  const { mailTooSoon, tooManyMails, smsTooSoon, tooManySms } = errors;

  return {
    /** Counts a sign-in or sign-up. @throws AuthError 429, like all of these */
    signIn: perAddress('sign-in', limits.sign_in_sign_ups),
    refresh: perAddress('refresh', limits.token_refresh),
    /** Counts an attempt with a code or link. */
    verification: perAddress('verification', limits.token_verifications),
    mail: perRecipient('mail', limits.email_sent, email.max_frequency, mailTooSoon, tooManyMails),
    sms: perRecipient('sms', sms.sent_per_hour, sms.max_frequency, smsTooSoon, tooManySms),
    passwords: guessesByNetwork(
      counted('wrong-password', perNetwork),
      counted('wrong-password-total', Math.max(perNetwork, total)),
    ),
    /** Six digits are only a million codes: unknown networks share the limit of one network. */
    codes: guessesByNetwork(
      counted('wrong-code', perNetwork),
      counted('wrong-code-total', perNetwork),
    ),
    /** Keyed by account id: these need the password first. */
    secondFactors: counted('wrong-factor', perNetwork),
  };
}
