// Rate limits per address and per account, counted in PostgreSQL so that all processes share them.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../../http/request.ts';
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

export interface Limits {
  /** Counts a sign-in or sign-up. @throws AuthError 429 */
  signIn(address: string): Promise<void>;
  /** Counts a refresh. @throws AuthError 429 */
  refresh(address: string): Promise<void>;
  /** Counts an attempt with a code or link. @throws AuthError 429 */
  verification(address: string): Promise<void>;
  /** Counts a mail to this address. @throws AuthError 429 if it follows the last one too soon, or there were too many */
  mail(kind: string, recipient: string): Promise<void>;
  /** Counts a text message to this number. @throws AuthError 429 */
  sms(kind: string, phone: string): Promise<void>;
  /** Wrong passwords of an account. */
  passwords: Guesses<Guesser>;
  /** Wrong codes for an address. */
  codes: Guesses<Guesser>;
  /** Wrong codes of an account's second factors, by account id: this needs the password first. */
  secondFactors: Guesses<string>;
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

type Refusal = (retryAfterSeconds: number) => Error;

async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  refusal: Refusal = errors.tooMany,
): Promise<void> {
  await limiter.consume(key).catch((failure: unknown) => {
    throw failure instanceof RateLimiterRes ? refusal(secondsLeft(failure)) : failure;
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

export function openLimits(pool: Pool, settings: Settings['auth']): Limits {
  const { rate_limit: limits, email, sms } = settings;
  const limiter = (
    keyPrefix: string,
    points: number,
    duration: number,
    isFlooded = false,
  ): RateLimiterPostgres =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      // Blocked addresses are kept in memory, so a flood does not reach the database.
      ...(isFlooded ? { inMemoryBlockOnConsumed: points + 1 } : {}),
    });
  const perAddress = (keyPrefix: string, points: number): ((address: string) => Promise<void>) => {
    const counted = limiter(keyPrefix, points, FIVE_MINUTES_S, true);
    return (address) => consume(counted, networkOf(address));
  };
  const { wrong_passwords: perNetwork, wrong_passwords_total: total } = limits;
  const counted = (keyPrefix: string, points: number): Guesses<string> =>
    guesses(limiter(keyPrefix, points, limits.wrong_passwords_window));
  const mails = limiter('mail', limits.email_sent, HOUR_S);
  // A duration of 0 would never expire.
  const pauses = limiter('mail-pause', 1, Math.max(1, email.max_frequency));
  const messages = limiter('sms', sms.sent_per_hour, HOUR_S);
  const messagePauses = limiter('sms-pause', 1, Math.max(1, sms.max_frequency));

  return {
    signIn: perAddress('sign-in', limits.sign_in_sign_ups),
    refresh: perAddress('refresh', limits.token_refresh),
    verification: perAddress('verification', limits.token_verifications),
    mail: async (kind, recipient) => {
      if (email.max_frequency > 0) {
        await consume(pauses, keyOf(`${kind} ${recipient}`), errors.mailTooSoon);
      }
      await consume(mails, keyOf(recipient), errors.tooManyMails);
    },
    sms: async (kind, phone) => {
      if (sms.max_frequency > 0) {
        await consume(messagePauses, keyOf(`${kind} ${phone}`), errors.smsTooSoon);
      }
      await consume(messages, keyOf(phone), errors.tooManySms);
    },
    passwords: guessesByNetwork(
      counted('wrong-password', perNetwork),
      counted('wrong-password-total', Math.max(perNetwork, total)),
    ),
    // Six digits are only a million codes: unknown networks share the limit of one network.
    codes: guessesByNetwork(
      counted('wrong-code', perNetwork),
      counted('wrong-code-total', perNetwork),
    ),
    secondFactors: counted('wrong-factor', perNetwork),
  };
}
