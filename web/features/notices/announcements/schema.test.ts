import { describe, expect, it } from 'vitest';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { announcementSchema, editSchema, newForm, toAudience } from './schema.ts';

const written = { ...newForm(), title: 'Radios', body: 'Charge them.' };
const messageOf = (form: object) =>
  announcementSchema.safeParse({ ...written, ...form }).error?.issues[0]?.message;

describe('an announcement', () => {
  it('is for everybody and two weeks, unless the writer chooses', () => {
    expect(messageOf({})).toBeUndefined();
    expect(written).toMatchObject({ audience: 'everybody', last_day: dayAfter(today(), 14) });
  });

  it('names its region, site or role', () => {
    expect(messageOf({ audience: 'region' })).toBe('Choose a region');
    expect(messageOf({ audience: 'site' })).toBe('Choose a site');
    expect(messageOf({ audience: 'role' })).toBe('Choose a role');
    expect(messageOf({ audience: 'role', role: 'guard' })).toBeUndefined();
  });

  it('lasts until a day from today on, at most a year', () => {
    expect(messageOf({ last_day: '' })).toBe('Choose the last day');
    expect(messageOf({ last_day: dayAfter(today(), -1) })).toBe(
      'The last day can’t be in the past',
    );
    expect(messageOf({ last_day: dayAfter(today(), 367) })).toMatch(/^The last day can’t be after/);
    expect(messageOf({ last_day: today() })).toBeUndefined();
  });

  it('keeps a last day that is over when only its text is edited', () => {
    const edited = { title: 'Radios', body: 'x', must_read: true, read_again: false };
    const passes = (last_day: string) =>
      editSchema({ last_day: '2026-01-01' }).safeParse({ ...edited, last_day }).success;
    expect(passes('2026-01-01')).toBe(true);
    expect(passes('2026-01-02')).toBe(false);
  });
});

describe('the audience that the server is asked with', () => {
  const audienceOf = (form: object) => toAudience({ ...written, ...form });

  it('is not known before the choice is complete', () => {
    expect(audienceOf({ audience: 'site' })).toBeUndefined();
    expect(audienceOf({ audience: 'region' })).toBeUndefined();
  });

  it('leaves out what an earlier choice has left in the form', () => {
    const left = { region: 'Bong', site_id: 'a', role: 'guard' };
    expect(audienceOf({ ...left, audience: 'everybody' })).toEqual({ p_audience: 'everybody' });
    expect(audienceOf({ ...left, audience: 'site' })).toEqual({
      p_audience: 'site',
      p_site_id: 'a',
    });
  });

  it('has the counties of a region of the company, or the county itself', () => {
    expect(audienceOf({ audience: 'region', region: 'Bong' })).toEqual({
      p_audience: 'region',
      p_counties: ['Bong'],
    });
    const central = audienceOf({ audience: 'region', region: 'Central Region' });
    expect(central?.p_counties).toContain('Bong');
    expect(central?.p_counties?.length).toBeGreaterThan(1);
  });
});
