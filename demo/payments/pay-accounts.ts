// Where the staff are paid: invented numbers, each used by one person. Most are verified.

import { iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import accountsData from '../money/bank-accounts.json' with { type: 'json' };
import { idOf, Random } from '../random.ts';

const { bankAccounts: BANK_ACCOUNTS } = accountsData;

type Channel = 'bank' | 'mtn_momo' | 'orange_money' | 'cash';

const SHARES: Record<Channel, number> = { bank: 20, mtn_momo: 40, orange_money: 30, cash: 10 };
const PREFIXES = { mtn_momo: '+23188', orange_money: '+23177' } as const;

/** @param number of the person @returns seven or more digits that no other person has */
const digits = (number: number, length: number): string =>
  String((number * 7_919 + 1_234_567) % 10 ** 7).padStart(length, '0');

function accountNumber(channel: Channel, number: number): string | null {
  if (channel === 'cash') return null;
  if (channel === 'bank') return `0${digits(number, 11)}`;
  return `${PREFIXES[channel]}${digits(number, 7)}`;
}

export async function insertPayAccounts(company: Loading): Promise<void> {
  const { client, people, calendar } = company;
  const random = new Random('pay accounts');
  const finance = people.named('finance').id;
  const admin = people.named('admin').id;
  const rows = [...people.guards, ...people.office].map((person, number) => {
    const channel = random.among(SHARES);
    const entered = iso(calendar.at(person.joined, 10, random.int(0, 59)));
    // Nobody verifies their own account.
    const [enteredBy, verifiedBy] = person.id === admin ? [admin, finance] : [finance, admin];
    const isVerified = random.chance(0.985);
    return {
      id: idOf('pay account', number),
      staff_id: idOf('staff', number),
      channel,
      account_name: person.fullName,
      account_number: accountNumber(channel, number),
      bank_name: channel === 'bank' ? random.pick(BANK_ACCOUNTS).bank_name : null,
      changed_by: enteredBy,
      verified_by: isVerified ? verifiedBy : null,
      verified_at: isVerified ? iso(calendar.at(person.joined, 15, random.int(0, 59))) : null,
      created_by: enteredBy,
      created_at: entered,
      updated_at: entered,
    };
  });
  await insertRows(client, 'pay_accounts', rows);
}
