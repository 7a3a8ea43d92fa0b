// The paths that the single-page app answers. The server gives any other path status 404.

/** Where a start code is typed, or filled in from a QR code. */
export const START_CODE_PATH = '/auth/start';

const EXACT = [
  '/account',
  '/auth',
  '/auth/new-password',
  START_CODE_PATH,
  '/client',
  '/client/coverage',
  '/client/write',
  '/deployments',
  '/staff',
  '/staff/attendance',
  '/staff/availability',
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

/** @param pathname path of a URL, without query; a trailing slash makes no difference */
export function isAppPath(pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '');
  return EXACT.includes(path) || path === PREFIX || path.startsWith(`${PREFIX}/`);
}
