export type Tier = { name: string; duty: string; chevrons: number };

/** Top first. */
export const commandChain: Tier[] = [
  {
    name: 'Regional Supervisors',
    duty: 'Answer for every post in their region and inspect without notice.',
    chevrons: 3,
  },
  {
    name: 'Shift Commanders',
    duty: 'Brief each shift, walk the posts and decide on the spot.',
    chevrons: 2,
  },
  {
    name: 'Guards',
    duty: 'In uniform on post and on patrol, never without a commander to call.',
    chevrons: 1,
  },
];

export const fieldSupport = [
  { name: 'GPS tracking', meaning: 'We know where each guard clocks in and out.' },
  { name: 'Real-time reporting', meaning: 'Incidents reach command as they happen.' },
  { name: '24/7 emergency response', meaning: 'Help leaves at any hour, on any day.' },
];

export const management = [
  { name: 'CEO/Operations Director', duty: 'Leads the firm and answers to every client.' },
  { name: 'Finance Officer', duty: 'Contracts, invoices and pay on time.' },
  { name: 'HR Officer', duty: 'Vetting, hiring and the welfare of our people.' },
  { name: 'Training Officer', duty: 'Drills, courses and certification.' },
  { name: 'Admin/IT Support', duty: 'Records, systems and the operations desk.' },
];
