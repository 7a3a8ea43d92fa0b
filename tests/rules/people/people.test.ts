// Hiring, start codes, changed addresses and leaving.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, hr, opsManager, type Person, people } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

interface Hired {
  user_id: string;
  full_name: string;
  code: string;
}

const asAdmin = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
  rolledBack(database.owner, async (client) => {
    await become(client, admin);
    return work(client);
  });

const moses = (more: Record<string, unknown> = {}) => ({
  full_name: 'Moses Kollie',
  phone: '0770 123 456',
  home_area: 'Paynesville, ELWA Junction',
  salary_amount: 180,
  ...more,
});

async function hire(client: PoolClient, ...entries: unknown[]): Promise<Hired[]> {
  const sql = 'select user_id, full_name, code from hire_people($1)';
  return (await client.query<Hired>(sql, [JSON.stringify(entries)])).rows;
}

async function hireOne(client: PoolClient, more: Record<string, unknown> = {}): Promise<Hired> {
  const [hired] = await hire(client, moses(more));
  if (hired === undefined) throw new Error('Nobody was hired.');
  return hired;
}

const PASSWORD = 'x'.repeat(36);

async function take(
  client: PoolClient,
  login: string,
  code: string,
  network = '192.0.2.1',
): Promise<string | undefined> {
  await becomeOwner(client);
  const { rows } = await client.query<{ outcome: string }>(
    `select outcome from take_start_code($1, $2, '${PASSWORD}', $3)`,
    [login, code, network],
  );
  await become(client, admin);
  return rows[0]?.outcome;
}

describe('hiring', () => {
  test('creates account, role, home area, staff record and certificates together', async () => {
    await asAdmin(async (client) => {
      const hired = await hireOne(client, {
        certificates: [
          { course_id: scene.courseId, certificate_number: 'UC-7', expires_at: '2028-01-31' },
        ],
      });
      expect(hired.code).toMatch(/^\d{12}$/);
      const { rows } = await client.query(
        `select p.full_name, p.email, p.phone, p.home_area, p.must_change_password, r.role,
           s.salary_amount, s.payment_frequency, s.phone as staff_phone, c.certificate_number
         from profiles p join user_roles r on r.user_id = p.id join staff s on s.user_id = p.id
           join certifications c on c.user_id = p.id
         where p.id = $1`,
        [hired.user_id],
      );
      expect(rows).toEqual([
        {
          full_name: 'Moses Kollie',
          email: null,
          phone: '+231770123456',
          home_area: 'Paynesville, ELWA Junction',
          must_change_password: true,
          role: 'guard',
          salary_amount: '180.00',
          payment_frequency: 'monthly',
          staff_phone: '+231770123456',
          certificate_number: 'UC-7',
        },
      ]);
    });
  });

  test('gives an account to a staff record that has none', async () => {
    await asAdmin(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into staff (full_name, salary_amount) values ('Moses Kollie', 120) returning id`,
      );
      const record = rows[0]?.id;
      const { user_id } = await hireOne(client, { staff_id: record });
      const linked = await client.query('select user_id, phone from staff where id = $1', [record]);
      expect(linked.rows).toEqual([{ user_id, phone: '+231770123456' }]);
      const again = hire(client, moses({ phone: '0770 999 999', staff_id: record }));
      await expect(again).rejects.toMatchObject({ code: 'PT409' });
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { full_name: ' ' }, 'Full name is required'],
    ['no address', { phone: '' }, 'Enter a phone number or an email address'],
    ['a wrong number', { phone: '12' }, 'Invalid phone number'],
    ['a wrong email', { email: 'moses@' }, 'Invalid email'],
    ['an unknown role', { role: 'king' }, 'user_roles_role_check'],
    ['no salary', { salary_amount: null }, 'salary_amount'],
    ['a salary that is no number', { salary_amount: 'NaN' }, 'staff_salary_amount_check'],
    ['a salary without end', { salary_amount: 'Infinity' }, 'overflow'],
    [
      'an unknown course',
      { certificates: [{ course_id: guardHere.id, expires_at: '2028-01-31' }] },
      'course',
    ],
    ['a taken email', { email: 'HR@people.example' }, 'already an account with this email'],
  ])('nobody with %s', async (_what, change, message) => {
    await asAdmin(async (client) => {
      const count = 'select count(*)::integer as accounts from profiles';
      const before = await client.query(count);
      const refused = async (text: string | RegExp, ...entries: unknown[]) => {
        await client.query('savepoint hiring');
        await expect(hire(client, ...entries)).rejects.toThrow(text);
        await client.query('rollback to savepoint hiring');
      };
      const entry = moses({ phone: '0886 555 014', ...change });
      await refused(message, entry);
      await refused(/^Row 2: /, moses(), entry);
      expect((await client.query(count)).rows).toEqual(before.rows);
    });
  });

  test('one number is one account', async () => {
    await asAdmin(async (client) => {
      await expect(hire(client, moses(), moses({ phone: '+231770123456' }))).rejects.toThrow(
        'Row 2: There is already an account with this phone number.',
      );
    });
  });

  test('and every other change of people is for admins, and for HR who may only hire guards without pay', async () => {
    const calls: [string, unknown[]][] = [
      ['select hire_people($1)', [JSON.stringify([moses()])]],
      ['select create_start_code($1)', [guardHere.id]],
      [`select edit_person($1, 'Name')`, [guardHere.id]],
      ['select employment_ties($1)', [guardHere.id]],
      ['select end_employment($1, current_date)', [guardHere.id]],
    ];
    const allowed = (person: Person) => person.roles.includes('admin') && !person.closed;
    for (const person of people.filter((one) => !allowed(one))) {
      // Of all these calls, HR is refused the one with pay.
      for (const [sql, values] of person === hr ? calls.slice(0, 1) : calls) {
        await expect(asPerson(database.owner, person, sql, values)).rejects.toMatchObject({
          code: REFUSED,
        });
      }
    }
    const inner = `select take_start_code('a', 'b', repeat('x', 36), '')`;
    for (const sql of [inner, `select reopen_invitation('${guardHere.id}')`]) {
      await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
    }
  });
});

describe('a start code', () => {
  test('opens the account once, by number however it is written', async () => {
    await asAdmin(async (client) => {
      const { code } = await hireOne(client);
      expect(await take(client, '+231 77 012 3456', `${code.slice(0, 4)}-${code.slice(4)}`)).toBe(
        'accepted',
      );
      expect(await take(client, '0770123456', code)).toBe('wrong');
    });
  });

  test('is stored as a hash only, and the account has no other password', async () => {
    await asAdmin(async (client) => {
      const { code, user_id } = await hireOne(client);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select c.code_hash like '%' || $2 || '%' as is_plain, u.encrypted_password
         from private.start_codes c join auth.users u on u.id = c.user_id where u.id = $1`,
        [user_id, code],
      );
      expect(rows).toEqual([{ is_plain: false, encrypted_password: null }]);
    });
  });

  test('replaces an older one, the password and every session', async () => {
    await asAdmin(async (client) => {
      const first = await hireOne(client);
      await take(client, '0770123456', first.code);
      await becomeOwner(client);
      await client.query(
        `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now())`,
        [first.user_id],
      );
      await become(client, admin);
      const issue = 'select code from create_start_code($1)';
      const second = await client.query<{ code: string }>(issue, [first.user_id]);
      const third = await client.query<{ code: string }>(issue, [first.user_id]);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select u.encrypted_password, p.must_change_password,
           (select count(*)::integer from auth.sessions s where s.user_id = u.id) as sessions
         from auth.users u join profiles p on p.id = u.id where u.id = $1`,
        [first.user_id],
      );
      expect(rows).toEqual([{ encrypted_password: null, must_change_password: true, sessions: 0 }]);
      expect(await take(client, '0770123456', second.rows[0]?.code ?? '')).toBe('wrong');
      expect(await take(client, '0770123456', third.rows[0]?.code ?? '')).toBe('accepted');
    });
  });

  test('expires after seven days', async () => {
    await asAdmin(async (client) => {
      const { code, user_id } = await hireOne(client);
      await becomeOwner(client);
      const { rowCount } = await client.query(
        `update private.start_codes set expires_at = expires_at - interval '7 days' where user_id = $1`,
        [user_id],
      );
      expect(rowCount).toBe(1);
      expect(await take(client, '0770123456', code)).toBe('wrong');
    });
  });

  test('is blocked after five wrong ones, even with the right one', async () => {
    await asAdmin(async (client) => {
      const { code } = await hireOne(client);
      const wrong = code === '00000000' ? '11111111' : '00000000';
      for (let guess = 0; guess < 5; guess += 1) {
        expect(await take(client, '0770123456', wrong)).toBe('wrong');
      }
      expect(await take(client, '0770123456', code)).toBe('blocked');
      await becomeOwner(client);
      await client.query(`update private.start_failures set at = at - interval '15 minutes'`);
      expect(await take(client, '0770123456', code)).toBe('accepted');
    });
  });

  test('is not blocked by guesses from elsewhere, of which a network has five in all its addresses', async () => {
    await asAdmin(async (client) => {
      const { code } = await hireOne(client);
      for (let guess = 0; guess < 5; guess += 1) {
        expect(await take(client, '0770123456', '000000000000', `2001:db8::${guess}`)).toBe(
          'wrong',
        );
      }
      expect(await take(client, '0770123456', code, '2001:db8::99')).toBe('blocked');
      expect(await take(client, '0770123456', code, '2001:db8:0:1::1')).toBe('accepted');
    });
  });

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:0db8:0:7::5', '2001:db8:0:7::/64'],
  ])(
    'from %s is not blocked by guesses at other accounts, if its owner signed in there',
    async (network, text) => {
      await asAdmin(async (client) => {
        const { code, user_id } = await hireOne(client);
        await becomeOwner(client);
        for (let guess = 0; guess < 30; guess += 1) {
          await take(client, `07709${String(guess).padStart(5, '0')}`, '000000000000', network);
        }
        expect(await take(client, '0770123456', code, network)).toBe('blocked');
        await becomeOwner(client);
        await client.query(
          `insert into auth.known_networks (user_id, network) values ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'))`,
          [user_id, text],
        );
        expect(await take(client, '0770123456', code, network)).toBe('accepted');
      });
    },
  );

  test('is not for one’s own account, a disabled one or none', async () => {
    await asAdmin(async (client) => {
      const codeOf = (id: string) =>
        attempt(client, () => client.query('select create_start_code($1)', [id]));
      expect(await codeOf(admin.id)).toBe('PT409');
      expect(await codeOf(scene.sites.here)).toBe('PT404');
      await client.query('select set_account_disabled($1, true)', [guardHere.id]);
      expect(await codeOf(guardHere.id)).toBe('PT409');
    });
  });
});

describe('edited addresses', () => {
  const edit = 'select edit_person($1, $2, $3, $4, $5)';
  const values = [guardHere.id, 'Moses K.', 'moses@people.example', '0770123456', 'Sinkor'];

  test('change account, profile and staff record together', async () => {
    await asAdmin(async (client) => {
      await client.query(edit, values);
      await becomeOwner(client);
      const { rows } = await client.query(
        `select p.full_name, p.email, p.phone, p.home_area, s.full_name as staff_name, s.email as staff_email,
           u.phone as signs_in_with,
           (select array_agg(i.provider order by i.provider) from auth.identities i where i.user_id = u.id) as identities
         from profiles p join staff s on s.user_id = p.id join auth.users u on u.id = p.id where p.id = $1`,
        [guardHere.id],
      );
      expect(rows).toEqual([
        {
          full_name: 'Moses K.',
          email: 'moses@people.example',
          phone: '+231770123456',
          home_area: 'Sinkor',
          staff_name: 'Moses K.',
          staff_email: 'moses@people.example',
          signs_in_with: '231770123456',
          identities: ['email', 'phone'],
        },
      ]);
    });
  });

  test('keep where the person works, or change it', async () => {
    await asAdmin(async (client) => {
      const reach = async (given: object | null) => {
        await client.query(`${edit.slice(0, -1)}, $6)`, [...values, given]);
        const { rows } = await client.query(
          'select home_region, home_position, max_distance_km from profiles where id = $1',
          [guardHere.id],
        );
        return rows[0];
      };
      const near = { home_region: 'Margibi', home_position: '6.53, -10.35', max_distance_km: 40 };
      expect(await reach(near)).toEqual(near);
      expect(await reach(null)).toEqual(near);
      const empty = { home_region: '', home_position: '', max_distance_km: null };
      expect(await reach(empty)).toEqual({ ...empty, home_region: null, home_position: null });
      for (const wrong of [
        { home_position: 'Sinkor' },
        { home_region: 'Kent' },
        { max_distance_km: 0 },
      ])
        expect(await attempt(client, () => reach({ ...empty, ...wrong }))).toBe('23514');
    });
  });

  test.each<[string, (string | null)[], string]>([
    ['without any address', [guardHere.id, 'Moses', '', ' ', ''], '23514'],
    ['of another account', [guardHere.id, 'Moses', 'hr@people.example', '', ''], 'PT409'],
    [
      'of nobody',
      ['00000000-0000-4000-8000-ffffffffffff', 'Moses', 'm@x.example', '', ''],
      'PT404',
    ],
    ['that are too long', [guardHere.id, 'M'.repeat(201), 'm@x.example', '', ''], '23514'],
  ])('%s are refused', async (_what, given, code) => {
    await asAdmin(async (client) => {
      expect(await attempt(client, () => client.query(edit, given))).toBe(code);
    });
  });
});

describe('ending an employment', () => {
  const end = `select end_employment($1, private.company_date(), 'Moved to Nimba')`;

  test('revokes access, frees the shifts to come and keeps the records', async () => {
    await asAdmin(async (client) => {
      const ties = await client.query(
        'select shifts, on_post, roles, leave from employment_ties($1)',
        [guardHere.id],
      );
      expect(ties.rows).toEqual([{ shifts: 1, on_post: true, roles: 1, leave: 1 }]);
      await client.query(end, [guardHere.id]);
      const { rows } = await client.query(
        `select p.left_on = private.company_date() as has_left, a.disabled, s.status, s.end_reason,
           (select count(*)::integer from user_roles r where r.user_id = p.id) as roles,
           (select array_agg(l.status) from leave_requests l where l.user_id = p.id) as leave,
           (select array_agg(g.status order by g.starts_at) from assignments g where g.user_id = p.id) as shifts,
           (select count(*)::integer from payroll y where y.staff_id = s.id) as payslips
         from profiles p join user_accounts a on a.id = p.id join staff s on s.user_id = p.id where p.id = $1`,
        [guardHere.id],
      );
      expect(rows).toEqual([
        {
          has_left: true,
          disabled: true,
          status: 'inactive',
          end_reason: 'Moved to Nimba',
          roles: 0,
          leave: ['rejected'],
          shifts: ['assigned', 'cancelled'],
          payslips: 1,
        },
      ]);
      await become(client, guardHere);
      expect((await client.query('select from assignments')).rowCount).toBe(0);
    });
  });

  test('is undone by enabling the account, apart from roles and shifts', async () => {
    await asAdmin(async (client) => {
      await client.query(end, [guardHere.id]);
      await client.query('select set_account_disabled($1, false)', [guardHere.id]);
      const { rows } = await client.query(
        `select p.left_on, s.status, s.end_date from profiles p join staff s on s.user_id = p.id where p.id = $1`,
        [guardHere.id],
      );
      expect(rows).toEqual([{ left_on: null, status: 'active', end_date: null }]);
    });
  });

  test('is refused for oneself and for a day to come', async () => {
    await asAdmin(async (client) => {
      const endOn = (id: string, day: string | null) =>
        attempt(client, () => client.query('select end_employment($1, $2)', [id, day]));
      expect(await endOn(admin.id, '2026-11-01')).toBe('PT409');
      expect(await endOn(hr.id, 'infinity')).toBe('23514');
      expect(await endOn(hr.id, null)).toBe('23514');
      expect(await endOn(opsManager.id, '1999-12-31')).toBe('23514');
    });
  });
});
