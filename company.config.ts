// Everything that brands the product. Change this file to rebrand the site, portals, mails and documents.
import type { SITES_COUNTY } from './shared/database.values.ts';

export const company = {
  name: 'Statesman Security Services',
  shortName: 'Statesman',
  tagline: 'Elite Protection & Security Solutions',
  headline: 'Elite Protection & Security Solutions Across Liberia',
  hotline: '+231 77 012 3456',
  /** Takes the guards' text messages: IN, OUT, OK, SOS. See docs/operations.md. */
  messageNumber: '+231 77 012 3457',
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
    {
      value: '500+',
      label: 'Trained Guards',
      meaning: 'On our own roll, each certified before the first shift.',
    },
    {
      value: '24/7',
      label: 'Operations',
      meaning: 'An officer is at the command desk at every hour of the year.',
    },
    {
      value: '100%',
      label: 'Response Rate',
      meaning: 'Every alarm and every call from a post gets a response.',
    },
    {
      value: '5',
      label: 'Admin Team',
      meaning: 'Operations, finance, people, training and systems: one officer for each.',
    },
  ],
  /** IANA zone in which a business day begins and ends. */
  timeZone: 'Africa/Monrovia',
  currencies: ['USD', 'LRD'],
} as const;

export type Company = typeof company;

/** A file below web/public, for example "/photographs/officers.jpg", 4:3 and at least 960 px wide. */
export type Photograph = { file: string; alt: string };

export type Licence = { name: string; issuer: string; number: string; validUntil?: string };
export type Insurance = { cover: string; insurer: string; limit?: string };
export type Leader = { name: string; role: string; text?: string; photograph?: Photograph };
export type Sector = { name: string; text: string };
export type Reference = { quote: string; name: string; organisation: string };
export type Careers = { text: string; requirements: string[]; email: string };
export type Region = { name: string; counties: (typeof SITES_COUNTY)[number][] };

export type SiteSlots = {
  /** In international format, like the hotline. */
  whatsapp?: string;
  /** Beside the contact form. */
  replyTime?: string;
  privacy?: string;
  /** Each replaces the illustration of its card under Our Team. */
  photographs: { management?: Photograph; personnel?: Photograph; night?: Photograph };
  regions: Region[];
  sectors: Sector[];
  licences: Licence[];
  insurance: Insurance[];
  leaders: Leader[];
  references: Reference[];
  careers?: Careers;
};

/** Parts of the public site that it shows only when they are filled in. State nothing here that you can't prove. */
export const slots: SiteSlots = {
  replyTime: 'An officer replies within one working day.',
  privacy: 'We use your details only to answer this request.',
  photographs: {},
  regions: [
    { name: 'Western Region', counties: ['Montserrado', 'Margibi', 'Bomi', 'Grand Cape Mount'] },
    { name: 'Central Region', counties: ['Gbarpolu', 'Bong', 'Nimba', 'Lofa'] },
    { name: 'Southern Region', counties: ['Grand Bassa', 'River Cess', 'Sinoe'] },
    {
      name: 'South-Eastern Region',
      counties: ['Grand Gedeh', 'River Gee', 'Grand Kru', 'Maryland'],
    },
  ],
  sectors: [
    { name: 'Embassies and missions', text: 'Gates, residences and convoys.' },
    { name: 'Companies', text: 'Offices, ports, plants and warehouses.' },
    { name: 'Public institutions', text: 'Ministries, hospitals and schools.' },
    { name: 'Homes', text: 'Compounds, families and their guests.' },
  ],
  licences: [],
  insurance: [],
  leaders: [],
  references: [],
};
