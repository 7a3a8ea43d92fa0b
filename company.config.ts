// Everything that brands the product. Change this file to rebrand the site, portals, mails and documents.

export const company = {
  name: 'Statesman Security Services',
  shortName: 'Statesman',
  tagline: 'Elite Protection & Security Solutions',
  headline: 'Elite Protection & Security Solutions Across Liberia',
  hotline: '+231 77 012 3456',
  email: 'operations@statesman.example',
  addressLabel: 'Old Road, Liberia',
  /** Opened by the location link; a geo search that needs no third-party script. */
  mapUrl: 'https://www.openstreetmap.org/search?query=Old%20Road%2C%20Monrovia%2C%20Liberia',
  heritage:
    'Our firm is named in honour of a former international statesman, whose life of service, discretion and integrity is the standard we hold every guard to.',
  growth:
    'We began with a handful of posts in Monrovia. Today over 500 trained guards stand watch across Liberia, each one recruited, drilled and supervised by our own officers.',
  mission: 'To protect people, property and progress.',
  principles: [
    { name: 'Integrity', meaning: 'We report what happened, not what is convenient.' },
    { name: 'Discretion', meaning: 'What we see on duty stays on duty.' },
    { name: 'Vigilance', meaning: 'A quiet night is checked as closely as a loud one.' },
    { name: 'Accountability', meaning: 'Every post, round and incident has a name on it.' },
  ],
  copyrightYear: 2025,
  statistics: [
    { value: '500+', label: 'Trained Guards' },
    { value: '24/7', label: 'Operations' },
    { value: '100%', label: 'Response Rate' },
    { value: '5', label: 'Admin Team' },
  ],
  /** IANA zone in which a business day begins and ends. */
  timeZone: 'Africa/Monrovia',
  currencies: ['USD', 'LRD'],
} as const;

export type Company = typeof company;
