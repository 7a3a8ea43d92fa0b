// The texts, names and places of the demo company, validated as they are loaded.
import { z } from 'zod';
import attendanceFile from './data/attendance.json' with { type: 'json' };
import bankAccountsFile from './data/bank-accounts.json' with { type: 'json' };
import clientsFile from './data/clients.json' with { type: 'json' };
import deploymentsFile from './data/deployments.json' with { type: 'json' };
import enquiriesFile from './data/enquiries.json' with { type: 'json' };
import expensesFile from './data/expenses.json' with { type: 'json' };
import incidentsFile from './data/incidents.json' with { type: 'json' };
import leaveFile from './data/leave.json' with { type: 'json' };
import namesFile from './data/names.json' with { type: 'json' };
import placesFile from './data/places.json' with { type: 'json' };
import shiftsFile from './data/shifts.json' with { type: 'json' };

const text = z.string().min(1);
const texts = z.array(text).min(1);
const money = z.string().regex(/^\d+\.\d{2}$/);

/** Guards are relieved only by guards of the same region. */
export const REGIONS = ['west', 'centre', 'south', 'south-east'] as const;
export type Region = (typeof REGIONS)[number];

const place = z.object({
  county: text,
  region: z.enum(REGIONS),
  /** End of an address there. */
  address: text,
  /** Degrees, far enough inland that a site nearby is not in the sea. */
  latitude: z.number(),
  longitude: z.number(),
});
export type Place = z.infer<typeof place>;

const { places, streets } = z
  .object({ places: z.record(text, place), streets: texts })
  .parse(placesFile);
export const STREETS = streets;

const placeOf = (name: string, context: z.RefinementCtx): Place => {
  const found = places[name];
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: `Unknown place ${name}` });
  return z.NEVER;
};

/** Guards per turn: two turns of 12 hours (day, night) or three of 8 (morning, afternoon, night). */
const turns = z.union([
  z.tuple([z.number(), z.number()]),
  z.tuple([z.number(), z.number(), z.number()]),
]);
export type Turns = z.infer<typeof turns>;

const client = z.object({
  name: text,
  payment: z.enum(['monthly', 'quarterly', 'annually', 'on-demand', 'cash']),
  sites: z.array(z.object({ name: text, place: text.transform(placeOf), turns })).min(1),
});
export type ClientEntry = z.infer<typeof client>;

/** `busiestSite` is where supervisor@, guard@ and guard2@ work. */
export const { busiestSite: BUSIEST_SITE, clients: CLIENTS } = z
  .object({ busiestSite: text, clients: z.array(client) })
  .parse(clientsFile);

const currency = z.enum(['USD', 'LRD']);

export const { bankAccounts: BANK_ACCOUNTS, loans: LOANS } = z
  .object({
    bankAccounts: z.array(
      z.object({
        bank: text,
        account: text,
        title: text,
        currency,
        /** Null if the bank has not sent a statement. */
        balance: money.nullable(),
        type: z.enum(['Dr', 'Cr']),
        status: z.enum(['ACTIVE', 'INACTIVE', 'CLOSED']),
        address: text,
      }),
    ),
    loans: z.array(
      z.object({
        bank: text,
        account: text,
        title: text,
        currency,
        opening: money,
        debit: money,
        credit: money,
        current: money,
        type: z.enum(['CURRENT', 'OVERDRAFT']),
        status: z.enum(['ACTIVE', 'CLOSED', 'PAID_OFF']),
      }),
    ),
  })
  .parse(bankAccountsFile);

/** `from`, `to` and `step` in USD; `weight` is relative frequency, `monthly` the share of monthly reports. */
export const EXPENSES = z
  .array(
    z.object({
      category: z.enum([
        'operations',
        'payroll',
        'equipment',
        'training',
        'transport',
        'utilities',
        'other',
      ]),
      weight: z.number(),
      from: z.number(),
      to: z.number(),
      step: z.number(),
      monthly: z.number(),
      titles: texts,
      notes: texts,
    }),
  )
  .parse(expensesFile);

export const INCIDENT_CATEGORIES = [
  'security',
  'safety',
  'property',
  'medical',
  'fire',
  'theft',
  'vandalism',
  'other',
] as const;
export type IncidentCategory = (typeof INCIDENT_CATEGORIES)[number];

const report = z.object({
  title: text,
  severity: z.enum(['low', 'medium', 'high', 'critical']),
  description: text,
});
export type Report = z.infer<typeof report>;

/** `weight` is relative frequency. */
export const { categories: INCIDENTS, followUps: FOLLOW_UPS } = z
  .object({
    categories: z.array(
      z.object({
        category: z.enum(INCIDENT_CATEGORIES),
        weight: z.number(),
        reports: z.array(report),
      }),
    ),
    followUps: texts,
  })
  .parse(incidentsFile);

const leaveReasons = z.object({
  annual: texts,
  sick: texts,
  emergency: texts,
  unpaid: texts,
  maternity: texts,
  paternity: texts,
  bereavement: texts,
});
export type LeaveType = keyof z.infer<typeof leaveReasons>;

const decisionNotes = z.array(text.nullable());
export const { reasons: LEAVE_REASONS, decisionNotes: DECISION_NOTES } = z
  .object({
    reasons: leaveReasons,
    decisionNotes: z.object({ approved: decisionNotes, rejected: decisionNotes }),
  })
  .parse(leaveFile);

export const ENQUIRIES = z
  .object({
    messages: z.array(z.object({ company: text.nullable(), message: text })),
    answers: texts,
  })
  .parse(enquiriesFile);

/** Invented people have common first names and surnames of Liberia. */
export const {
  men: MEN,
  women: WOMEN,
  surnames: SURNAMES,
} = z.object({ men: texts, women: texts, surnames: texts }).parse(namesFile);

export const { noLocationReasons: NO_LOCATION_REASONS, correctionReasons: CORRECTION_REASONS } = z
  .object({ noLocationReasons: texts, correctionReasons: texts })
  .parse(attendanceFile);

export const { notes: SHIFT_NOTES } = z.object({ notes: texts }).parse(shiftsFile);

export const DEPLOYMENTS = z.object({ locations: texts, notes: texts }).parse(deploymentsFile);
