// Invented names, and ids from a seed.
import type { Random } from '#demo/random.ts';

const FIRST_NAMES = [
  'Abraham',
  'Alphonso',
  'Bendu',
  'Boakai',
  'Comfort',
  'Daniel',
  'Emmanuel',
  'Esther',
  'Fatu',
  'Garmai',
  'Hawa',
  'Isaac',
  'James',
  'Jartu',
  'Joseph',
  'Kebbeh',
  'Lorpu',
  'Martha',
  'Moses',
  'Musu',
  'Nathaniel',
  'Othello',
  'Prince',
  'Ruth',
  'Samuel',
  'Sekou',
  'Tenneh',
  'Varney',
  'Wleemongar',
  'Yassah',
] as const;
const LAST_NAMES = [
  'Barclay',
  'Cooper',
  'Dahn',
  'Doe',
  'Fahnbulleh',
  'Flomo',
  'Gaye',
  'Jallah',
  'Johnson',
  'Kamara',
  'Karnga',
  'Kiazolu',
  'Kollie',
  'Kpadeh',
  'Massaquoi',
  'Mulbah',
  'Nagbe',
  'Paye',
  'Quaye',
  'Sackie',
  'Sumo',
  'Taweh',
  'Toe',
  'Weah',
  'Zaza',
] as const;
export const CLIENT_NAMES = [
  'Ducor Hotel',
  'Mesurado Bank',
  'Freeport Logistics',
  'Cavalla Rubber',
  'Sinkor Clinic',
  'Bushrod Depot',
  'Atlantic Shipping',
  'Nimba Mining',
  'Providence School',
  'Farmington Foods',
] as const;
export const PLACES = ['Gate', 'Warehouse', 'Lobby', 'Yard', 'Office', 'Depot'] as const;

/** @returns as many different names as there are numbers below 750 */
export const nameOf = (number: number): string => {
  const first = FIRST_NAMES[number % FIRST_NAMES.length];
  const last =
    LAST_NAMES[(number * 7 + Math.floor(number / FIRST_NAMES.length)) % LAST_NAMES.length];
  return `${first} ${last}`;
};

/** @returns a uuid as a device makes it, but from the seed */
export function uuidFrom(random: Random): string {
  const hex = (digits: number) =>
    random
      .int(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
