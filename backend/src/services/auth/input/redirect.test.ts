// Where a link may lead.
import { expect, it } from 'vitest';
import { allowedRedirect } from './redirect.ts';

const SITE = 'https://guards.example';
const LIST = ['https://*.preview.example/**', 'app://sign-in', 'https://partner.example/in/*'];

it.each([
  ['https://guards.example/admin?x=1#y', true],
  ['http://127.0.0.1:5173/auth', false],
  ['http://127.0.0.1:9999/steal', false],
  ['http://[::1]:5173/auth', false],
  ['https://one.preview.example/a/b', true],
  ['app://sign-in', true],
  ['https://partner.example/in/home', true],
  ['http://guards.example/', false],
  ['https://guards.example:8443/', false],
  ['https://guards.example.evil.example/', false],
  ['https://guards.example@evil.example/', false],
  ['https://evil.example/https://guards.example/', false],
  ['//evil.example/', false],
  ['https:\\\\evil.example/', false],
  ['https://a.b.preview.example/', false],
  ['https://partner.example/in/a/b', false],
  ['http://10.0.0.1/', false],
  ['http://localhost/', false],
  ['javascript:alert(1)', false],
  ['', false],
])('%s: %s', (wanted, isAllowed) => {
  const result = allowedRedirect(wanted, SITE, LIST);
  expect(result).toBe(isAllowed ? new URL(wanted).href : SITE);
});

it.each([
  ['http://localhost:5173/x', 'http://localhost:3000'],
  ['http://127.0.0.1:5173/x', 'http://localhost:3000'],
  ['http://[::1]:5173/x', 'http://127.0.0.1:3000'],
])('lets a site on this machine use any port: %s from %s', (wanted, site) => {
  expect(allowedRedirect(wanted, site, [])).toBe(wanted);
});

it('lets a public site list an address on the machine of its users', () => {
  const wanted = 'http://127.0.0.1:5173/x';
  expect(allowedRedirect(wanted, SITE, ['http://127.0.0.1:*/**'])).toBe(wanted);
});
