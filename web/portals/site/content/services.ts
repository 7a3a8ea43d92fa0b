export type ServiceIcon = 'facility' | 'escort' | 'event' | 'camera' | 'patrol' | 'response';

export type Service = { icon: ServiceIcon; name: string; description: string };

export const services: Service[] = [
  {
    icon: 'facility',
    name: 'Facility Protection',
    description:
      'Gates, receptions and perimeters of embassies, offices, warehouses and residences, with access control and a written log of every visitor.',
  },
  {
    icon: 'escort',
    name: 'VIP and Escort Services',
    description:
      'Close protection and secure transfers for diplomats, executives and families, on routes that are checked before you travel.',
  },
  {
    icon: 'event',
    name: 'Event Security',
    description:
      'Entry screening, crowd control and emergency exits for conferences, weddings, matches and public ceremonies.',
  },
  {
    icon: 'camera',
    name: 'Surveillance and CCTV',
    description:
      'Camera placement, installation and monitoring, with recordings kept safe and ready when you need evidence.',
  },
  {
    icon: 'patrol',
    name: '24/7 Patrol Services',
    description:
      'Marked foot and vehicle patrols, day and night, at times nobody can predict. Each round is confirmed by GPS.',
  },
  {
    icon: 'response',
    name: 'Rapid Response',
    description:
      'A team on standby around the clock, sent the moment an alarm, a guard or your call asks for one.',
  },
];
