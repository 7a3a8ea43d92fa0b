// Files of filed returns and of certificates: in one bucket with receipts of expenses, and only while they are filed.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PayStory, payStory } from '#tests/support/pay-story.ts';
import { admin, finance, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    'delete from vat_return_lines; delete from vat_returns; delete from pay_return_lines; delete from pay_returns',
  );
});

const story = (work: (story: PayStory) => Promise<void>) => payStory(database.owner, work);

const FILED = `status, lrd_per_usd, filed_on, filed_reference) values ('2025-03-01', 'filed', 200, '2025-04-10', 'LRA-1'`;
const idOf = async (rows: Promise<Record<string, unknown>[]>) => String((await rows)[0]?.id);

const RETURNS = {
  vat_return: {
    table: 'vat_returns',
    make: `insert into vat_returns (month, ${FILED}) returning id`,
    reopen: `select reopen_vat_return('2025-03-01', 'Wrong month')`,
  },
  pay_return: {
    table: 'pay_returns',
    make: `insert into pay_returns (kind, month, ${FILED.replace(`values (`, `values ('paye', `)}) returning id`,
    reopen: `select reopen_pay_return('paye', '2025-03-01', 'Wrong month')`,
  },
} as const;

const SET = 'select set_document($1, $2, $3)';
const UPLOAD = `insert into storage.objects (bucket_id, name, version) values ('receipts', $1, gen_random_uuid())`;

describe.each(Object.entries(RETURNS))(
  'a document of a filing, %s',
  (of, { table, make, reopen }) => {
    const pathOf = async ({ owner }: PayStory, id: string) =>
      (await owner(`select document_path from ${table} where id = $1`, [id]))[0]?.document_path;

    test('is attached by finance, replaced, and no longer attached when the filing is taken back', () =>
      story(async (scene) => {
        await scene.owner(
          `insert into tax_rates (name, rate, effective_from) values ('VAT', 0.18, '2025-01-01') on conflict do nothing`,
        );
        await scene.owner('delete from vat_registrations');
        await scene.owner(
          `insert into vat_registrations (number, registered_from) values ('500123456', '2025-03-01')`,
        );
        const id = await idOf(scene.owner(make));
        await scene.as(finance, UPLOAD, [`${id}/receipt.pdf`]);
        await scene.as(finance, SET, [of, id, `${id}/receipt.pdf`]);
        expect(await pathOf(scene, id)).toBe(`${id}/receipt.pdf`);
        await scene.as(finance, SET, [of, id, null]);
        expect(await pathOf(scene, id)).toBeNull();
        await scene.as(admin, SET, [of, id, `${id}/form.pdf`]);
        await scene.as(admin, reopen);
        expect(await pathOf(scene, id)).toBeNull();
        expect(await scene.refused(finance, SET, [of, id, `${id}/form.pdf`])).toContain('reopened');
        await scene.as(finance, SET, [of, id, null]);
      }));

    test('is nobody else’s, and of no other record', () =>
      story(async (scene) => {
        const id = await idOf(scene.owner(make));
        for (const person of [hr, guardHere]) {
          expect(await scene.refused(person, SET, [of, id, `${id}/a.pdf`])).not.toBe('');
          expect(await scene.refused(person, UPLOAD, [`${id}/a.pdf`])).toContain(
            'row-level security',
          );
        }
        expect(await scene.refused(finance, UPLOAD, [`${crypto.randomUUID()}/a.pdf`])).toContain(
          'row-level security',
        );
        for (const path of [`${crypto.randomUUID()}/a.pdf`, 'a.pdf', `${id}/${'a'.repeat(1000)}`]) {
          expect(await scene.refused(finance, SET, [of, id, path])).toContain('another record');
        }
        expect(await scene.refused(finance, SET, ['expense', id, null])).toContain('of a return');
        expect(await scene.refused(finance, SET, [null, id, null])).toContain('of a return');
        expect(await scene.refused(finance, SET, [of, null, null])).not.toBe('');
      }));
  },
);

test('a certificate of tax that a client withheld has its file, until its number is taken back', () =>
  story(async (scene) => {
    const id = await idOf(
      scene.owner(
        `insert into receipts (client_id, currency, amount, withheld, received_on, method)
         select c.id, 'USD', 900, 100, '2025-03-10', 'bank' from clients c limit 1 returning id`,
      ),
    );
    const path = `${id}/certificate.pdf`;
    await scene.as(finance, UPLOAD, [path]);
    expect(await scene.refused(finance, SET, ['receipt', id, path])).toContain('number');
    const ENTER = 'select set_withholding_certificate($1, $2, $3)';
    await scene.as(finance, ENTER, [id, 'WHT-7', '2025-04-01']);
    await scene.as(finance, SET, ['receipt', id, path]);
    const read = 'select certificate_path from receipts where id = $1';
    expect(await scene.owner(read, [id])).toEqual([{ certificate_path: path }]);
    await scene.as(finance, ENTER, [id, 'WHT-8', '2025-04-01']);
    expect(await scene.owner(read, [id])).toEqual([{ certificate_path: path }]);
    await scene.as(finance, ENTER, [id, null, null]);
    expect(await scene.owner(read, [id])).toEqual([{ certificate_path: null }]);
  }));
