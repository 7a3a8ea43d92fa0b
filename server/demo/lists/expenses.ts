// What the demo company spends money on.

export interface ExpenseKind {
  category:
    | 'operations'
    | 'payroll'
    | 'equipment'
    | 'training'
    | 'transport'
    | 'utilities'
    | 'other';
  titles: readonly string[];
  /** USD. */
  from: number;
  to: number;
  step: number;
  /** How often it is a report of a whole month. */
  monthly: number;
  notes: readonly string[];
}

const kind = (
  category: ExpenseKind['category'],
  [from, to, step]: readonly [number, number, number],
  monthly: number,
  titles: readonly string[],
  notes: readonly string[],
): ExpenseKind => ({ category, from, to, step, monthly, titles, notes });

/** Kinds and how often they come. */
export const EXPENSES: readonly (readonly [ExpenseKind, number])[] = [
  [
    kind(
      'transport',
      [8, 140, 0.5],
      0.05,
      [
        'Fuel, patrol pickup 1',
        'Fuel, patrol pickup 2',
        'Fuel, motorbikes',
        'Guard transport to Gbarnga',
        'Guard transport to Buchanan',
        'Tyre repair',
        'Pickup service',
        'Taxi to client meeting',
      ],
      ['Receipt attached in the folder.', 'Road was cut, longer way.'],
    ),
    30,
  ],
  [
    kind(
      'operations',
      [5, 220, 0.25],
      0.1,
      [
        'Drinking water for posts',
        'Occurrence books',
        'Torch batteries',
        'Radio batteries',
        'Post repairs, Freeport',
        'Rain shelter roof',
        'Office stationery',
        'Printing of site orders',
        'Client visit refreshments',
      ],
      ['Petty cash.', 'For three sites together.'],
    ),
    26,
  ],
  [
    kind(
      'utilities',
      [20, 480, 0.5],
      0.45,
      [
        'Generator fuel, head office',
        'Electricity, head office',
        'Water delivery',
        'Internet, head office',
        'Phone credit for supervisors',
        'Rent of Buchanan office',
      ],
      ['Meter reading on the bill.', 'Two weeks of outages.'],
    ),
    16,
  ],
  [
    kind(
      'equipment',
      [12, 1900, 1],
      0.05,
      [
        'Uniforms, 10 sets',
        'Boots, 12 pairs',
        'Hand radios',
        'Metal detector wand',
        'Rain coats',
        'CCTV camera and cable',
        'Torches',
        'First-aid kits',
        'Dog food and vet',
      ],
      ['Warranty of one year.', 'Ordered for new sites.'],
    ),
    13,
  ],
  [
    kind(
      'training',
      [30, 650, 5],
      0.2,
      [
        'First aid course fee',
        'Fire drill, extinguisher refills',
        'Trainer fee, use of force',
        'Range day',
        'Printed training manuals',
        'Lunch for trainees',
      ],
      ['Certificates follow.', 'Sixteen guards attended.'],
    ),
    7,
  ],
  [
    kind(
      'payroll',
      [40, 900, 1],
      0.6,
      [
        'Casual guards, event',
        'Overtime paid in cash',
        'Sick pay difference',
        'Social security, late fee',
        'Relief guards, weekend',
      ],
      ['List is with the HR officer.'],
    ),
    5,
  ],
  [
    kind(
      'other',
      [5, 300, 0.5],
      0.15,
      [
        'Bank charges',
        'Business registration renewal',
        'Insurance instalment',
        'Condolence contribution',
        'Community meeting, Old Road',
        'Cleaning of the office',
      ],
      ['Approved by the director.'],
    ),
    5,
  ],
];
