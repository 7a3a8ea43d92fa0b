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
