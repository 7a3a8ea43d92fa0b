// What calendars have that ordinary weeks do not: each a scenario through the running product, whose figures are worked out
// by hand. The company's zone is UTC all year; night is from 10 PM to 6 AM, a holiday pays twice, overtime 1.5 times.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFaketime } from '#scripts/simulate.mjs';
import { CalendarCompany } from './calendar-company.ts';
import { accepted } from './door.ts';

const RATES = { regular: 4, night: 5, holiday: 8 };

const isPossible = findFaketime() !== undefined;
if (!isPossible)
  console.warn('The calendar is left out: it needs libfaketime (Debian package faketime).');

describe.runIf(isPossible)('in a company that lives through', () => {
  const company = new CalendarCompany('2026-12-21T08:00Z');

  // Two minutes on a busy machine.
  beforeAll(() => company.live(), 600_000);
  afterAll(() => company.close(), 60_000);

  const opens = '2026-12-21';
  for (const [week, paidOn] of [
    ['2026-12-28', '2027-01-05'],
    ['2027-01-04', '2027-01-12'],
    ['2027-01-11', '2027-01-19'],
    ['2027-01-18', '2027-01-26'],
    ['2027-01-25', '2027-02-02'],
    ['2027-02-01', '2027-02-09'],
    ['2027-02-08', '2027-02-16'],
    ['2027-03-08', '2027-03-16'],
    ['2027-03-15', '2027-03-23'],
  ] as const)
    company.pays('weekly', week, paidOn);
  company.pays('monthly', '2027-01-01', '2027-02-03');
  company.pays('monthly', '2028-02-01', '2028-03-02');
  company.pays('monthly', '2028-03-01', '2028-04-02');
  for (const day of ['2027-01-05', '2027-02-05', '2027-03-05', '2027-04-05']) company.bills(day);
  for (const day of ['2028-03-05', '2028-04-05']) company.bills(day);

  describe('the end of a year', () => {
    company.serves('Old Year Gate', { from: opens, rates: RATES });
    company.hires('Aaron Year', {
      on: opens,
      group: 'weekly',
      salary: 60,
      hourly: { from: '2026-12-28', amount: 2 },
    });
    company.works('Aaron Year', {
      site: 'Old Year Gate',
      from: '2026-12-31T18:00Z',
      to: '2027-01-01T06:00Z',
    });

    test('the hours of a night before midnight are of the old year, those after it of New Year’s Day', async () => {
      expect(await company.segments('Aaron Year', '2026-12-31')).toEqual([
        '240 regular',
        '120 night',
      ]);
      expect(await company.segments('Aaron Year', '2027-01-01')).toEqual(['360 holiday']);
    });

    test('the last pay week is one timesheet and one payslip, with the taxes of the month in which it ends', async () => {
      expect(await company.sheet('Aaron Year', '2027-01-01')).toEqual({
        days: '2026-12-28 to 2027-01-03',
        regular: 240,
        night: 120,
        holiday: 360,
      });
      // 4 h and 2 h at 2.00, 6 h at 4.00: 36.00, of which 4% are 1.44. 36.00 x 184 x 12 = L$79,488 a year: 5% of what is above
      // 70,000 are 474.40, a twelfth of it at 184 is 0.21.
      expect(await company.payslip('Aaron Year', 'weekly', '2027-01-01')).toEqual([
        'regular 8.00',
        'night 4.00',
        'holiday 24.00',
        'income_tax -0.21',
        'nasscorp -1.44',
      ]);
    });

    test('December’s invoice ends at midnight, January’s begins there', async () => {
      expect(await company.invoice('Old Year Gate', '2026-12-31')).toEqual([
        'regular 4 x 4 = 16.00',
        'night 2 x 5 = 10.00',
      ]);
      expect(await company.invoice('Old Year Gate', '2027-01-01')).toEqual([
        'holiday 6 x 8 = 48.00',
      ]);
    });
  });

  describe('week 53', () => {
    company.serves('Week Gate', { from: opens, rates: RATES });
    company.hires('Ben Week', { on: opens, group: 'monthly', salary: 208 });
    for (const day of ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-02'])
      company.works('Ben Week', {
        site: 'Week Gate',
        from: `${day}T06:00Z`,
        to: `${day}T18:00Z`,
        despite: 'Nobody else is free',
      });

    test('it is one week of 48 hours, although the month and the year end in it', async () => {
      expect(await company.sheet('Ben Week', '2026-12-31')).toEqual({
        days: '2026-12-01 to 2026-12-31',
        regular: 4 * 720,
      });
      expect(await company.sheet('Ben Week', '2027-01-02')).toEqual({
        days: '2027-01-01 to 2027-01-31',
        overtime_1: 720,
      });
    });

    test('its overtime is paid and billed in January: 208.00 x 12 / (52 x 48) is 1.00 an hour', async () => {
      const earned = (await company.payslip('Ben Week', 'monthly', '2027-01-31')).slice(0, 2);
      expect(earned).toEqual(['salary 208.00', 'overtime_1 18.00']);
      expect(await company.invoice('Week Gate', '2026-12-31')).toEqual(['regular 48 x 4 = 192.00']);
      // The contract has no rate of its own for overtime.
      expect(await company.invoice('Week Gate', '2027-01-31')).toEqual(['overtime 12 x 4 = 48.00']);
    });
  });

  describe('a month in which five pay weeks end', () => {
    company.hires('Clara Five', { on: opens, group: 'weekly', salary: 60 });

    test('the five payslips are taxed as the 300.00 of the month, and February starts from zero', async () => {
      const weeks = ['2027-01-03', '2027-01-10', '2027-01-17', '2027-01-24', '2027-01-31'];
      const slips = await Promise.all(
        weeks.map((day) => company.payslip('Clara Five', 'weekly', day)),
      );
      // L$ of a year after 1 to 5 weeks: 132,480, 264,960, 397,440, 529,920, 662,400. Tax in US$ of the month up to there:
      // 1.41, 7.36, 16.36, 25.36, 34.36.
      const taxes = ['1.41', '5.95', '9.00', '9.00', '9.00'];
      expect(slips).toEqual(
        taxes.map((tax) => ['salary 60.00', `income_tax -${tax}`, 'nasscorp -2.40']),
      );
      expect(await company.payslip('Clara Five', 'weekly', '2027-02-07')).toEqual([
        'salary 60.00',
        'income_tax -1.41',
        'nasscorp -2.40',
      ]);
    });
  });

  describe('a pay group that changes in mid-month and mid-week', () => {
    company.serves('Change Gate', { from: opens, rates: RATES });
    company.hires('Femi Change', { on: opens, group: 'monthly', salary: 310 });
    // Dated back: the hours of January are computed already.
    company.at('2027-01-22T09:00Z', 'the admin pays Femi by the week from January 20', () =>
      company.changePay('Femi Change', '2027-01-20', 'weekly', 'salary', 70),
    );
    company.works('Femi Change', {
      site: 'Change Gate',
      from: '2027-01-19T18:00Z',
      to: '2027-01-20T06:00Z',
    });

    test('each day is in one timesheet, and a night is divided at midnight', async () => {
      expect(await company.sheet('Femi Change', '2027-01-19')).toEqual({
        days: '2027-01-01 to 2027-01-19',
        regular: 240,
        night: 120,
      });
      expect(await company.sheet('Femi Change', '2027-01-20')).toEqual({
        days: '2027-01-20 to 2027-01-24',
        night: 360,
      });
      expect(await company.sheet('Femi Change', '2027-01-31')).toEqual({
        days: '2027-01-25 to 2027-01-31',
      });
    });

    test('19 of 31 days of 310.00, 5 of 7 days of 70.00 and a week are paid, and taxed as 310.00 in all', async () => {
      const slips = await Promise.all([
        company.payslip('Femi Change', 'monthly', '2027-01-31'),
        company.payslip('Femi Change', 'weekly', '2027-01-24'),
        company.payslip('Femi Change', 'weekly', '2027-01-31'),
      ]);
      expect(slips.map(([salary]) => salary)).toEqual([
        'salary 190.00',
        'salary 50.00',
        'salary 70.00',
      ]);
      const taxes = slips.flat().filter((line) => line.startsWith('income_tax'));
      const tax = taxes.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
      // 310.00 x 184 x 12 = L$684,480 a year: 6,500 + 15% of what is above 200,000 are 79,172.
      expect(tax.toFixed(2)).toBe('-35.86');
    });
  });

  describe('a rate that changes in mid-shift', () => {
    company.serves('Rate Gate', { from: opens, rates: RATES });
    company.hires('Grace Rate', {
      on: opens,
      group: 'weekly',
      salary: 60,
      hourly: { from: '2026-12-28', amount: 2 },
    });
    company.at('2027-02-08T09:00Z', 'rates and pay rise on February 10', async () => {
      await company.changeRates('Rate Gate', '2027-02-10', { regular: 6, night: 7 });
      await company.changePay('Grace Rate', '2027-02-10', 'weekly', 'hourly', 3);
    });
    company.works('Grace Rate', {
      site: 'Rate Gate',
      from: '2027-02-09T18:00Z',
      to: '2027-02-10T06:00Z',
    });

    test('the minutes before midnight cost the old rate, those after it the new one, on one invoice', async () => {
      expect(await company.invoice('Rate Gate', '2027-02-28')).toEqual([
        'regular 4 x 4 = 16.00',
        'night 2 x 5 = 10.00',
        'night 6 x 7 = 42.00',
      ]);
    });

    test('they are paid so, too, on one payslip', async () => {
      const slip = await company.payslip('Grace Rate', 'weekly', '2027-02-10');
      expect(slip.slice(0, 3)).toEqual(['regular 8.00', 'night 4.00', 'night 18.00']);
    });
  });

  describe('a public holiday that the company moves afterwards', () => {
    company.serves('Holiday Gate', { from: opens, rates: RATES });
    company.hires('Dora Holiday', {
      on: opens,
      group: 'weekly',
      salary: 60,
      hourly: { from: '2026-12-28', amount: 2 },
    });
    // Armed Forces Day is Thursday, February 11.
    for (const [day, until] of [
      ['2027-02-11', '18:00'],
      ['2027-02-12', '14:00'],
    ])
      company.works('Dora Holiday', {
        site: 'Holiday Gate',
        from: `${day}T06:00Z`,
        to: `${day}T${until}Z`,
      });
    let before: unknown;
    company.at('2027-02-13T09:00Z', 'HR moves the holiday from Thursday to Friday', async () => {
      before = await company.sheet('Dora Holiday', '2027-02-11');
      const hr = await company.client('hr');
      for (const change of [
        { day: '2027-02-11', name: 'Armed Forces Day', works: true },
        { day: '2027-02-12', name: 'Armed Forces Day', works: false },
      ])
        accepted(await hr.from('company_holidays').upsert(change, { onConflict: 'day' }));
    });
    let refusal: string | undefined;
    company.at('2027-02-17T09:00Z', 'HR moves it back when it is paid', async () => {
      const hr = await company.client('hr');
      const { error } = await hr.from('company_holidays').delete().eq('day', '2027-02-11');
      refusal = error?.message;
    });

    test('the hours follow: 12 h of Thursday no longer count twice, 8 h of Friday do', async () => {
      expect(before).toMatchObject({ holiday: 720, regular: 480 });
      expect(await company.sheet('Dora Holiday', '2027-02-11')).toEqual({
        days: '2027-02-08 to 2027-02-14',
        holiday: 480,
        regular: 720,
      });
    });

    test('pay and invoice follow', async () => {
      const slip = await company.payslip('Dora Holiday', 'weekly', '2027-02-11');
      expect(slip.slice(0, 2)).toEqual(['regular 24.00', 'holiday 32.00']);
      expect(await company.invoice('Holiday Gate', '2027-02-28')).toEqual([
        'regular 12 x 4 = 48.00',
        'holiday 8 x 8 = 64.00',
      ]);
    });

    test('it stays where it was when its week was paid', () => {
      expect(refusal).toMatch(/locked|paid/);
    });
  });

  describe('a site in another zone, in the night before a holiday', () => {
    // Lagos is an hour ahead. J. J. Roberts’s birthday is Monday, March 15.
    company.serves('Lagos Gate', { from: opens, rates: RATES, timezone: 'Africa/Lagos' });
    company.hires('Eli Zone', {
      on: opens,
      group: 'weekly',
      salary: 60,
      hourly: { from: '2026-12-28', amount: 2 },
    });
    company.at('2027-03-10T09:00Z', 'operations adds the post', async () => {
      const operations = await company.client('operations');
      const days = { valid_from: '2027-03-14', valid_to: '2027-03-14' };
      accepted(
        await operations.rpc('save_post', {
          p_post: {
            ...days,
            site_id: company.siteId('Lagos Gate'),
            name: 'Lobby',
            headcount: 1,
            gender: null,
            gender_reason: null,
            lone_worker: false,
            needs_induction: false,
            notes: null,
          },
          p_courses: [],
          p_requirement: {
            ...days,
            preset: 'night_12',
            cycle_days: 1,
            slots: [{ slot: 1, day: 0, start: '18:00', minutes: 720, headcount: 1 }],
          },
          p_preview: false,
        }),
      );
    });
    let planned: unknown;
    company.at('2027-03-12T09:00Z', 'operations assigns the night', async () => {
      const operations = await company.client('operations');
      const { data } = accepted(
        await operations
          .from('shifts')
          .select('id, start_time, end_time')
          .eq('site_id', company.siteId('Lagos Gate')),
      );
      const [shift, ...others] = data ?? [];
      planned = { from: shift?.start_time, to: shift?.end_time, others };
      await company.assign('Eli Zone', shift?.id ?? '');
    });
    company.clocks('Eli Zone', '2027-03-14T17:00Z', '2027-03-15T05:00Z');

    test('the post’s 6 PM to 6 AM are those of the site’s clock', () => {
      expect(planned).toEqual({
        from: '2027-03-14T17:00:00+00:00',
        to: '2027-03-15T05:00:00+00:00',
        others: [],
      });
    });

    test('days, nights and holidays are those of the company’s clock', async () => {
      expect(await company.segments('Eli Zone', '2027-03-14')).toEqual([
        '300 regular',
        '120 night',
      ]);
      expect(await company.segments('Eli Zone', '2027-03-15')).toEqual(['300 holiday']);
    });

    test('the week ends at the company’s midnight, and both weeks are paid and billed so', async () => {
      const slips = await Promise.all([
        company.payslip('Eli Zone', 'weekly', '2027-03-14'),
        company.payslip('Eli Zone', 'weekly', '2027-03-15'),
      ]);
      expect(
        slips.map((slip) => slip.filter((line) => /regular|night|holiday/.test(line))),
      ).toEqual([['regular 10.00', 'night 4.00'], ['holiday 20.00']]);
      expect(await company.invoice('Lagos Gate', '2027-03-31')).toEqual([
        'regular 5 x 4 = 20.00',
        'night 2 x 5 = 10.00',
        'holiday 5 x 8 = 40.00',
      ]);
    });
  });

  describe('a leap day', () => {
    company.serves('Leap Gate', { from: '2028-02-01', rates: RATES });
    company.serves('Tenth Gate', { from: '2028-02-20', monthly: 2900 });
    company.hires('Leah Leap', {
      on: '2028-02-16',
      group: 'monthly',
      salary: 290,
    });
    company.hires('Hanna Hour', {
      on: '2028-02-01',
      group: 'monthly',
      salary: 100,
      hourly: { from: '2028-02-02', amount: 2 },
    });
    for (const [from, to] of [
      ['2028-02-28', '2028-02-29'],
      ['2028-02-29', '2028-03-01'],
    ])
      company.works('Hanna Hour', {
        site: 'Leap Gate',
        from: `${from}T18:00Z`,
        to: `${to}T06:00Z`,
      });

    test('February has 29 days: its hours, and 14 and 10 of its 29 days', async () => {
      expect(await company.sheet('Hanna Hour', '2028-02-29')).toEqual({
        days: '2028-02-01 to 2028-02-29',
        regular: 480,
        night: 120 + 360 + 120,
      });
      expect(await company.sheet('Hanna Hour', '2028-03-01')).toEqual({
        days: '2028-03-01 to 2028-03-31',
        night: 360,
      });
      const [salary] = await company.payslip('Leah Leap', 'monthly', '2028-02-29');
      expect(salary).toBe('salary 140.00');
      const [fixed] = await company.invoice('Tenth Gate', '2028-02-29');
      expect(fixed).toMatch(/^fixed .* = 1000\.00$/);
    });

    test('the day is paid and billed in February, the morning after in March', async () => {
      const slip = await company.payslip('Hanna Hour', 'monthly', '2028-02-29');
      expect(slip.filter((line) => /regular|night/.test(line))).toEqual([
        'regular 16.00',
        'night 20.00',
      ]);
      expect(await company.invoice('Leap Gate', '2028-02-29')).toEqual([
        'regular 8 x 4 = 32.00',
        'night 10 x 5 = 50.00',
      ]);
      expect(await company.invoice('Leap Gate', '2028-03-01')).toEqual(['night 6 x 5 = 30.00']);
    });
  });
});
