import { expect, test } from 'vitest';
import { loggedPath } from './errors.ts';

test.each([
  ['/rest/v1/profiles?email=eq.a@b.example', '/rest/v1/profiles'],
  ['/rest/v1/rpc/mark_everybody_as_present_again', '/rest/v1/rpc/mark_everybody_as_present_again'],
  [
    '/auth/v1/admin/users/7f9c24e8-3b12-4a0e-9c3d-2f4b8a5d6e7f',
    '/auth/v1/admin/users/7f9c24e8-3b12-4a0e-9c3d-2f4b8a5d6e7f',
  ],
  ['/calendar/Zk3VwQ9yT1bX8mN4cR7dL2sH.ics', '/calendar/*'],
  ['/storage/v1/object/evidence/Jane Doe/passport.jpg', '/storage/v1/object/evidence/*'],
])('%s is logged as %s', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});
