import { Archive, MailCheck } from 'lucide-react';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import type { Enquiry } from './schema.ts';

const actions: readonly ListAction<Enquiry>[] = [
  {
    label: 'Mark as answered',
    icon: MailCheck,
    appliesTo: ({ state }) => state === 'new',
    leftOut: 'not new',
    run: (rows) => changeRecords('contact_messages', listIds(rows), { state: 'answered' }),
    done: 'marked as answered',
  },
  {
    label: 'Close',
    icon: Archive,
    appliesTo: ({ state }) => state !== 'closed',
    leftOut: 'already closed',
    run: (rows) => changeRecords('contact_messages', listIds(rows), { state: 'closed' }),
    done: 'closed',
  },
];

export const enquiryActions: BulkActions<Enquiry> = {
  noun: ['enquiry', 'enquiries'],
  nameOf: ({ name }) => `the enquiry of ${name}`,
  actions,
};
