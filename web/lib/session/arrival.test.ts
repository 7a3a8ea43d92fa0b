import { describe, expect, it } from 'vitest';
import { arrivalAt, nextAddress } from './arrival.ts';

const SITE = 'https://site.example';
const SESSION = 'access_token=a&expires_in=3600&refresh_token=r&sb=&token_type=bearer';

describe('the URL after a link', () => {
  it.each([
    ['/staff', undefined],
    ['/admin?page=2#list', undefined],
    [`/staff#${SESSION}&type=magiclink`, '/staff'],
    [
      `/auth/new-password?next=%2Fstaff#${SESSION}&type=recovery`,
      '/auth/new-password?next=%2Fstaff',
    ],
    [`/admin#${SESSION}&type=recovery`, '/auth/new-password'],
    [`/admin#${SESSION}&type=invite`, '/auth/new-password'],
    ['/account?page=2&error=access_denied#error=access_denied', '/account?page=2'],
  ])('%s becomes %s', (path, address) => {
    expect(arrivalAt(SITE + path).address).toBe(address);
  });
});

describe('the notice of a link', () => {
  it.each([
    [
      '#error=access_denied&error_code=otp_expired&error_description=x',
      'This link no longer works',
    ],
    ['#error_code=signup_disabled', 'There is no account for you yet'],
    ['?error=access_denied', 'Sign-in was cancelled'],
    ['#error_code=something_new&error_description=Too+bad', 'That did not work'],
    ['#message=Confirmation+link+accepted&sb=', 'The first of two confirmations is done'],
    [`#${SESSION}&type=email_change`, 'Your e-mail address is changed'],
    [`#${SESSION}&type=magiclink`, undefined],
    ['', undefined],
  ])('%s: %s', (rest, title) => {
    expect(arrivalAt(`${SITE}/auth${rest}`).notice?.title).toBe(title);
  });

  it('shows the description of an unknown error, or that there is none', () => {
    const textOf = (rest: string) => arrivalAt(`${SITE}/auth#${rest}`).notice?.text;
    expect(textOf('error_code=new&error_description=Too+bad')).toBe('Too bad');
    expect(textOf('error=new')).toBe('Error in URL with unspecified error_description');
  });
});

describe('the next screen', () => {
  it.each(['/staff', '/admin/sites?page=2', '/deployments', '/account'])('%s', (next) => {
    expect(nextAddress(next)).toBe(next);
  });

  it.each([
    undefined,
    '',
    'staff',
    'https://elsewhere.example/staff',
    '//elsewhere.example/staff',
    '/\\elsewhere.example/staff',
    '/nowhere',
    '/auth',
    '/auth/new-password?next=%2Fstaff',
    'javascript:alert(1)',
  ])('not %s', (next) => {
    expect(nextAddress(next)).toBeUndefined();
  });
});
