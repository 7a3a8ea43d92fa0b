import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toRow } from './deployment-row.ts';
import { type DeploymentForm, deploymentSchema, toForm } from './schema.ts';

const valid: DeploymentForm = {
  guard_name: 'James Kollie',
  guard_id: null,
  location: 'Sinkor, 12th Street',
  client_name: 'Harbour Trading',
  client_id: '5f0c6f0e-5d1c-4e1b-9a57-0a3b8f1f2c11',
  shift_start: '2026-11-21T18:00',
  shift_end: '2026-11-22T06:00',
  status: 'scheduled',
  notes: 'Bring the torch.',
};

function messages(form: Record<string, unknown>) {
  const result = deploymentSchema.safeParse(form);
  return result.success ? {} : z.flattenError(result.error).fieldErrors;
}

describe('the deployment form', () => {
  it('accepts a night shift that crosses midnight', () => {
    expect(messages(valid)).toEqual({});
  });

  it('shows an error at each missing field', () => {
    expect(messages(toForm())).toEqual({
      guard_name: ['Guard name is required'],
      location: ['Location is required'],
      shift_start: ['Start time is required'],
      shift_end: ['End time is required'],
    });
  });

  it.each([
    ['guard_name', 'Guard name is required'],
    ['location', 'Location is required'],
  ])('treats blanks as empty in %s', (field, message) => {
    expect(messages({ ...valid, [field]: '   ' })).toEqual({ [field]: [message] });
  });

  it.each(['2026-11-21T18:00', '2026-11-21T17:59'])('rejects the end time %s', (shift_end) => {
    expect(messages({ ...valid, shift_end })).toEqual({
      shift_end: ['End time must be after the start time'],
    });
  });

  it('reports a wrong end time together with other errors', () => {
    expect(messages({ ...valid, guard_name: '', shift_end: valid.shift_start })).toEqual({
      guard_name: ['Guard name is required'],
      shift_end: ['End time must be after the start time'],
    });
  });

  it('rejects a day that does not exist', () => {
    expect(messages({ ...valid, shift_end: '2027-02-31T06:00' })).toEqual({
      shift_end: ['End time is not a valid date and time'],
    });
  });

  it.each([
    ['guard_name', 200],
    ['location', 500],
    ['client_name', 200],
    ['notes', 5000],
  ] as const)('allows at most the length of the column in %s', (field, limit) => {
    expect(messages({ ...valid, [field]: 'x'.repeat(limit) })).toEqual({});
    expect(Object.keys(messages({ ...valid, [field]: 'x'.repeat(limit + 1) }))).toEqual([field]);
  });

  it('rejects an unknown status', () => {
    expect(Object.keys(messages({ ...valid, status: 'late' }))).toEqual(['status']);
  });
});

describe('toRow', () => {
  it('converts company time to UTC', () => {
    expect(toRow(valid)).toMatchObject({
      shift_start: '2026-11-21T18:00:00.000Z',
      shift_end: '2026-11-22T06:00:00.000Z',
    });
  });

  it('stores null for empty fields', () => {
    const form = deploymentSchema.parse({ ...valid, client_name: '  ', notes: '' });
    expect(toRow(form)).toMatchObject({ client_name: null, notes: null });
  });

  it('is the inverse of toForm', () => {
    const row = { id: 'x', created_by: null };
    const times = { created_at: '2026-11-21T00:00:00Z', updated_at: '2026-11-21T00:00:00Z' };
    expect(toForm({ ...row, ...times, ...toRow(valid) })).toEqual(valid);
  });
});
