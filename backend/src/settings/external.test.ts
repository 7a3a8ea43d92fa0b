// How `[auth.external.<name>]` is read.
import { describe, expect, it } from 'vitest';
import { ExternalProviders } from './external.ts';

const read = (name: string, keys: object) =>
  ExternalProviders.parse({ [name]: { enabled: true, client_id: 'x', ...keys } })[name];

describe('the issuer of a provider', () => {
  it.each([
    ['google', '', 'https://accounts.google.com'],
    ['azure', '', 'https://login.microsoftonline.com/common/v2.0'],
    ['azure', 'https://login.microsoftonline.com/t', 'https://login.microsoftonline.com/t/v2.0'],
    [
      'azure',
      'https://login.microsoftonline.com/t/v2.0',
      'https://login.microsoftonline.com/t/v2.0',
    ],
    ['azure', 'https://sso.example/realms/staff', 'https://sso.example/realms/staff'],
    ['keycloak', 'https://sso.example/realms/staff', 'https://sso.example/realms/staff'],
    ['club', 'https://sso.example/o/staff/', 'https://sso.example/o/staff/'],
    ['club', 'https://a.example/.well-known/openid-configuration', 'https://a.example'],
    ['club', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('%s with url "%s" is %s', (name, url, issuer) => {
    expect(read(name, { url })?.issuer).toBe(issuer);
  });
});

it('several client ids are accepted, the first is used; openid is always asked for', () => {
  expect(read('google', { client_id: 'a, b,', scopes: 'email' })).toMatchObject({
    clientIds: ['a', 'b'],
    scopes: ['openid', 'email'],
  });
});

it('a provider that is off is not there, whatever else it lacks', () => {
  expect(ExternalProviders.parse({ github: { enabled: false, client_id: '' } })).toEqual({});
});

it.each([
  ['github', {}, 'give the address of the OpenID Connect issuer'],
  ['google', { client_id: '' }, 'an enabled provider needs it'],
  ['club', { url: 'http://sso.example' }, 'it must begin with https://'],
  ['club', { url: 'sso.example' }, 'it must begin with https://'],
  ['email', { url: 'https://a.example' }, 'the name is not allowed'],
  ['a b', { url: 'https://a.example' }, 'the name is not allowed'],
  ['google', { redirect_uri: '/callback' }, 'it must be a whole address'],
])('%s with %j is refused with the reason', (name, keys, message) => {
  expect(() => read(name, keys)).toThrow(message);
});
