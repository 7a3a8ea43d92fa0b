// What visitors of the public site ask, and how they are answered.

export const MESSAGES: readonly (readonly [company: string | null, message: string])[] = [
  [
    'Sandy Beach Guest House',
    'We are looking for two night guards for our guest house in Congo Town from next month. Please send your rates.',
  ],
  [
    null,
    'My family is travelling for six weeks and I would like the house on Old Road watched by day and night.',
  ],
  [
    'Blue River Mining Services',
    'We need a proposal for a camp of 80 people near Sanniquellie: gate, patrol and an escort for the pay truck.',
  ],
  [
    'Hilltop Primary School',
    'Could you guard our graduation on Saturday? About 400 guests, two gates, one car park.',
  ],
  [
    null,
    'I would like to apply as a guard. I have three years of experience and a certificate in first aid. Where can I bring my papers?',
  ],
  [
    'Crescent Pharmacies',
    'Please quote for camera monitoring of five shops in Monrovia and a response team after alarms.',
  ],
  [
    'A visiting delegation',
    'We require close protection for a delegation of four persons for five days, airport to airport.',
  ],
  [
    'Palmwood Furniture',
    'Our store in Gardnersville was broken into last week. How soon can a night guard start?',
  ],
  [
    null,
    'Thank you to the guard at the Freeport gate who found my wallet and would not take a reward.',
  ],
  [
    'Unity Market Women’s Association',
    'What would patrols cost for the market at Red Light, from six in the evening until the morning?',
  ],
];

export const ANSWERS: readonly string[] = [
  'Called back, offer sent by mail.',
  'Visit of the site agreed for next week.',
  'Passed on to HR.',
  'Too small for us; gave the number of a partner.',
  'Contract signed.',
];
