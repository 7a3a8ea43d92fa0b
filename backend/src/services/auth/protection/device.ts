// How a device is recognised: browser, system and network, without parts that change daily.
import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../http/request.ts';
import { addressOf } from './address.ts';
import { userAgentOf } from './audit.ts';

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
    : networkOf(address).split(':').slice(0, 2).join(':');
}

export function fingerprintOf(request: FastifyRequest): string {
  // Without versions, which change with every update.
  const agent = userAgentOf(request).replace(/\d+([._]\d+)*/g, '');
  return createHash('sha256')
    .update(`${agent} ${neighbourhood(addressOf(request))}`)
    .digest('hex');
}
