import { insertRows } from '../insert-rows.ts';
import namesData from '../people/names.json' with { type: 'json' };
import { idOf, Random } from '../random.ts';
import type { Loading } from './business.ts';
import ENQUIRIES from './enquiries.json' with { type: 'json' };

const { men: MEN, surnames: SURNAMES, women: WOMEN } = namesData;

const COUNT = 36;

export async function insertEnquiries({ client, calendar }: Loading): Promise<void> {
  const random = new Random('enquiries');
  const rows = Array.from({ length: COUNT }, (_, number) => {
    // Newest first; those of the last days are still new.
    const day = -Math.floor(number * 2.4);
    const first = random.pick(random.chance(0.6) ? MEN : WOMEN);
    const last = random.pick(SURNAMES);
    const { company, message } = random.pick(ENQUIRIES.messages);
    const settled = random.chance(0.6) ? 'closed' : 'answered';
    const state = number < 7 ? 'new' : number < 14 ? 'answered' : settled;
    const at = calendar.at(day, random.int(7, 21), random.int(0, 59));
    return {
      id: idOf('enquiry', number),
      name: `${first} ${last}`,
      email: `${first}.${last}@mail.example`.toLowerCase(),
      company,
      message,
      state,
      note: state === 'new' ? null : random.pick(ENQUIRIES.answers),
      created_at: calendar.past(at),
    };
  });
  await insertRows(client, 'contact_messages', rows);
}
