import { AuthApiError, PostgrestError } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { toPage } from '../data/pages.ts';
import { describeError, errorFrom, readErrorCode } from './error-message.ts';

function databaseError(code: string, message: string) {
  return new PostgrestError({ code, message, details: '', hint: '' });
}

describe('the message of an error', () => {
  it("keeps the auth service's own message", () => {
    const error = new AuthApiError('Invalid login credentials', 400, 'invalid_credentials');
    expect(describeError(error)).toBe('Invalid login credentials');
  });

  it('reports a lost connection, whatever the browser calls it', () => {
    for (const message of ['TypeError: Failed to fetch', 'Load failed', 'NetworkError when …']) {
      expect(describeError(databaseError('', message))).toMatch(/^No connection to the server/);
    }
  });

  it('names a server that is down, whatever a proxy answers for it', () => {
    const page = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n';
    for (const message of [page, 'Bad Gateway', 'Internal Server Error']) {
      expect(describeError(databaseError('', message))).toMatch(/^The server is not available/);
    }
    const database = 'Database connection error. Retrying the connection.';
    expect(describeError(databaseError('PGRST000', database))).toMatch(
      /^The server is not available/,
    );
  });

  it('explains a row-level security violation without naming the policy', () => {
    const error = databaseError(
      '42501',
      'new row violates row-level security policy for table "x"',
    );
    expect(describeError(error)).toBe('You do not have permission to do this.');
  });

  it('keeps the message of our own SQL function with the same code', () => {
    const error = databaseError('23505', 'You are already clocked in.');
    expect(describeError(error)).toBe('You are already clocked in.');
  });

  it('explains a period that ends before it starts', () => {
    const message = 'new row violates check constraint "deployments_end_after_start"';
    expect(describeError(databaseError('23514', message))).toBe('The end must be after the start.');
  });

  it('names no foreign key, but keeps the message of our own rule', () => {
    const own =
      'update or delete on table "sites" violates foreign key constraint "x" on table "y"';
    expect(describeError(databaseError('23503', own))).toMatch(/^A record that this one refers to/);
    const ours = 'This site still has shifts, so it can’t be deleted.';
    expect(describeError(databaseError('23503', ours))).toBe(ours);
  });

  it('names no exclusion constraint, but keeps the record named by our own rule', () => {
    const own =
      'conflicting key value violates exclusion constraint "payroll_periods_do_not_overlap"';
    expect(describeError(databaseError('23P01', own))).toBe('This overlaps another record.');
    const ours = 'Musu Flomo already has a payroll record from Nov 1, 2026 to Nov 30, 2026 (paid).';
    expect(describeError(databaseError('23P01', ours))).toBe(ours);
  });

  it('keeps the import row of a record that already exists', () => {
    const message = 'Row 12: duplicate key value violates unique constraint "clients_name_key"';
    expect(describeError(databaseError('23505', message))).toBe(
      'Row 12: This record already exists.',
    );
  });

  it("keeps the database's message if there is no better one", () => {
    const error = databaseError('P0001', 'The last admin stays admin.');
    expect(describeError(error)).toBe('The last admin stays admin.');
  });

  it('says what to do when the passkey was not used', () => {
    const error = new DOMException('The operation either timed out or …', 'NotAllowedError');
    expect(describeError(error)).toMatch(/^The passkey was not used/);
  });

  it('treats plain objects of supabase-js like errors', () => {
    const refused = { message: 'boom', code: 'P0001', details: null, hint: null };
    expect(describeError(refused)).toBe('boom');
    expect(readErrorCode(refused)).toBe('P0001');
    const lost = { message: 'TypeError: Failed to fetch', code: '', details: '', hint: '' };
    expect(describeError(lost)).toMatch(/^No connection to the server/);
    const taken = { message: 'new row violates row-level security policy', code: '42501' };
    expect(describeError(taken)).toBe('You do not have permission to do this.');
  });

  it.each([['?'], [undefined], [null], [{}], [{ message: 7 }], [{ message: '' }]])(
    'has a sentence for %j, which is no error at all',
    (thrown) => {
      expect(describeError(thrown)).toBe('Something went wrong. Please try again.');
    },
  );
});

describe('errorFrom', () => {
  it('makes an Error with the same code and details', () => {
    const error = errorFrom({ message: 'boom', code: 'P0001', details: 'why', hint: null });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: 'boom', code: 'P0001', details: 'why' });
  });

  it('returns an Error unchanged', () => {
    const error = databaseError('P0001', 'boom');
    expect(errorFrom(error)).toBe(error);
  });

  it('is what every paged list throws', () => {
    const refused = { message: 'boom', code: 'P0001', details: '', hint: '' };
    const read = () => toPage({ data: null, count: null, error: refused });
    expect(read).toThrow(Error);
    expect(read).toThrow('boom');
  });
});
