import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { toNetwork } from '../../../http/request.ts';
import { sql } from '../database.ts';
import type { Call } from '../service.ts';
import type { Guesser } from './limits.ts';

// How a device is recognised: browser, system and network, without parts that change daily.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const nameIn = (agent: string, names: [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** Our own words: a user agent can contain anything, and must not get into a mail. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(userAgent, BROWSERS) ?? 'An unknown program';
  const system = nameIn(userAgent, SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Phones change their address within a network: compare the first half of an IPv4 address, the first /32 of an IPv6 one. */
function neighbourhood(address: string): string {
  return isIPv4(address)
    ? address.split('.').slice(0, 2).join('.')
    : toNetwork(address).split(':').slice(0, 2).join(':');
}

export function hashCaller({ userAgent, address }: Call): string {
  // Without versions, which change with every update.
  const agent = userAgent.replace(/\d+([._]\d+)*/g, '');
  return createHash('sha256')
    .update(`${agent} ${neighbourhood(address)}`)
    .digest('hex');
}

// Who tries a password or a code: the account, and the network of the request.

/** A network counts as known for this many days after its last use. */
export const KNOWN_DAYS = 90;

/** The key of a network in `auth.known_networks`. */
export function networkHash({ address }: Call): string {
  return createHash('sha256').update(toNetwork(address)).digest('hex');
}

/** @param account canonical e-mail address or E.164 digits; unknown ones take the same query, hence the same time */
export async function identifyGuesser(call: Call, account: string): Promise<Guesser> {
  const { rows } = await call.pool.query<{ is_known: boolean }>(sql`
    select exists (
      select from auth.users u join auth.known_networks n on n.user_id = u.id
      where ((u.email = ${account} and not u.is_sso_user) or u.phone = ${account}) and u.deleted_at is null
        and n.network = ${networkHash(call)} and n.seen_at > now() - make_interval(days => ${KNOWN_DAYS})
    ) as is_known`);
  const network = toNetwork(call.address);
  return { account, network, isKnown: rows[0]?.is_known ?? false };
}
