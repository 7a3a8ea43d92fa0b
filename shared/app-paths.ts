// The paths that the pages of the app answer. The server gives any other path status 404.

/** Where a start code is typed, or filled in from a QR code. */
export const START_CODE_PATH = '/auth/start';

const EXACT = [
  '/account',
  '/auth',
  '/auth/new-password',
  START_CODE_PATH,
  '/deployments',
  '/staff',
  '/staff/announcements',
  '/staff/attendance',
  '/staff/availability',
  '/staff/book',
  '/staff/calendar',
  '/staff/certifications',
  '/staff/me',
  '/staff/muster',
  '/staff/notices',
  '/staff/open-shifts',
  '/staff/payslips',
  '/staff/report',
  '/staff/shifts',
  '/staff/timesheet',
  '/staff/waiting',
];
/** Unknown addresses below it are redirected to it. */
const PREFIX = '/admin';

const withoutSlash = (pathname: string) => pathname.replace(/\/+$/, '');

/**
 * Whether the single-page app answers it.
 * @param pathname path of a URL, without query; a trailing slash makes no difference
 */
export function isAppPath(pathname: string): boolean {
  const path = withoutSlash(pathname);
  return EXACT.includes(path) || path === PREFIX || path.startsWith(`${PREFIX}/`);
}

const CLIENT = [
  '/client',
  '/client/book',
  '/client/coverage',
  '/client/invoices',
  '/client/reports',
  '/client/statement',
  '/client/write',
];

/** Whether the page of the clients' portal answers it. */
export const isClientPath = (pathname: string): boolean => CLIENT.includes(withoutSlash(pathname));

export const isKioskPath = (pathname: string): boolean => withoutSlash(pathname) === '/kiosk';
