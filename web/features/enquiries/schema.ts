import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import type { BadgeTone } from '#web/components/ui/badge.tsx';
import { listSearch } from '#web/lib/data/list-search.ts';

export type Enquiry = Database['public']['Tables']['contact_messages']['Row'];

export const STATES = ['new', 'answered', 'closed'] as const;
export type EnquiryState = (typeof STATES)[number];

export const STATE_LABELS: Record<EnquiryState, string> = {
  new: 'New',
  answered: 'Answered',
  closed: 'Closed',
};

export const STATE_TONES: Record<EnquiryState, BadgeTone> = {
  new: 'orange',
  answered: 'green',
  closed: 'grey',
};

export const enquirySearch = z.object({
  ...listSearch,
  state: z.enum(STATES).optional().catch(undefined),
});
export type EnquirySearch = z.infer<typeof enquirySearch>;

export const handlingSchema = z.object({
  state: z.enum(STATES),
  note: z.string().trim().max(5000, 'The note must be at most 5000 characters'),
});
export type Handling = z.infer<typeof handlingSchema>;
