// How far the sale of an enquiry is, whose it is, and what comes next.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, opsManager } from '#tests/support/people.ts';
import { type Office, office as officeOf } from '#tests/support/quote-story.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const office = (work: (at: Office) => Promise<void>) => officeOf(database.owner, work);

describe('the stage of an enquiry', () => {
  test('and its state follow each other, and the first who acts is its owner', () =>
    office(async (at) => {
      const id = await at.enquiry();
      const is = () =>
        at.owner('select state, stage, owner_id, lost_reason from contact_messages where id = $1', [
          id,
        ]);
      await at.as(opsManager, `update contact_messages set state = 'answered' where id = $1`, [id]);
      expect(await is()).toMatchObject({
        state: 'answered',
        stage: 'talks',
        owner_id: opsManager.id,
      });
      await at.as(
        admin,
        `update contact_messages set stage = 'lost', lost_reason = 'Too dear' where id = $1`,
        [id],
      );
      expect(await is()).toMatchObject({ state: 'closed', stage: 'lost', owner_id: opsManager.id });
      await at.as(admin, `update contact_messages set state = 'answered' where id = $1`, [id]);
      expect(await is()).toMatchObject({ state: 'answered', stage: 'talks', lost_reason: null });
      await at.as(admin, `update contact_messages set state = 'new' where id = $1`, [id]);
      expect(await is()).toMatchObject({ state: 'new', stage: 'new' });
    }));

  test('is not lost without a reason, and its owner answers enquiries', () =>
    office(async (at) => {
      const id = await at.enquiry();
      expect(
        await at.refused(opsManager, `update contact_messages set stage = 'lost' where id = $1`, [
          id,
        ]),
      ).toContain('contact_messages_lost_with_reason');
      expect(
        await at.refused(opsManager, 'update contact_messages set owner_id = $2 where id = $1', [
          id,
          guardHere.id,
        ]),
      ).toBe('The owner must be an administrator or an operations manager.');
    }));

  test('tells the owner of the next action once, when its day has come', () =>
    office(async (at) => {
      const id = await at.enquiry();
      await at.as(
        opsManager,
        `update contact_messages set stage = 'talks', next_action = 'Call back', next_action_on = '2031-01-01'
         where id = $1`,
        [id],
      );
      const told = async () => {
        await at.owner('select private.tell_of_due_dates()');
        return at.owner(
          `select count(*)::integer as notices, min(body) as body, min(user_id::text) as user_id
           from notices where link = '/admin/enquiries?open=' || $1`,
          [id],
        );
      };
      expect(await told()).toMatchObject({ notices: 0 });
      await at.owner(
        'update contact_messages set next_action_on = private.reminder_date() where id = $1',
        [id],
      );
      await told();
      expect(await told()).toEqual({
        notices: 1,
        body: 'Red Light Stores: Call back',
        user_id: opsManager.id,
      });
    }));
});
