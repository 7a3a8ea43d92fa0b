// Where the demo company guards: parts of Monrovia and a town in each of the fifteen counties.

/** Guards are relieved by guards of the same region: nobody is sent across the country for one shift. */
export const REGIONS = ['west', 'centre', 'south', 'south-east'] as const;
export type Region = (typeof REGIONS)[number];

export interface Place {
  county: string;
  region: Region;
  /** How an address there ends. */
  address: string;
  /** Degrees, inland enough that a site nearby is not in the sea. */
  latitude: number;
  longitude: number;
}

const place = (
  county: string,
  region: Region,
  address: string,
  latitude: number,
  longitude: number,
): Place => ({ county, region, address: `${address}, ${county} County`, latitude, longitude });

const monrovia = (part: string, latitude: number, longitude: number): Place =>
  place('Montserrado', 'west', `${part}, Monrovia`, latitude, longitude);

export const PLACES = {
  mamba: monrovia('Mamba Point', 6.3135, -10.8085),
  broad: monrovia('Broad Street', 6.3142, -10.8035),
  capitol: monrovia('Capitol Hill', 6.3, -10.794),
  sinkor: monrovia('Sinkor', 6.2886, -10.7745),
  airfield: monrovia('Airfield, Sinkor', 6.2905, -10.7655),
  congo: monrovia('Congo Town', 6.2745, -10.7425),
  oldroad: monrovia('Old Road', 6.2795, -10.7465),
  paynesville: monrovia('Paynesville', 6.2805, -10.7085),
  elwa: monrovia('ELWA Junction, Paynesville', 6.2575, -10.6985),
  redlight: monrovia('Red Light, Paynesville', 6.2905, -10.6785),
  gardnersville: monrovia('Gardnersville', 6.3465, -10.7365),
  bushrod: monrovia('Bushrod Island', 6.3635, -10.7825),
  freeport: monrovia('Freeport, Bushrod Island', 6.3505, -10.7865),
  caldwell: monrovia('Caldwell', 6.3905, -10.7605),
  brewerville: place('Montserrado', 'west', 'Brewerville', 6.4235, -10.7745),
  careysburg: place('Montserrado', 'west', 'Careysburg', 6.4075, -10.5395),
  harbel: place('Margibi', 'west', 'Harbel', 6.2795, -10.3505),
  robertsfield: place('Margibi', 'west', 'Robertsfield Highway', 6.2405, -10.3605),
  kakata: place('Margibi', 'west', 'Kakata', 6.5301, -10.3517),
  tubmanburg: place('Bomi', 'west', 'Tubmanburg', 6.8706, -10.8178),
  robertsport: place('Grand Cape Mount', 'west', 'Robertsport', 6.7545, -11.3625),
  sinje: place('Grand Cape Mount', 'west', 'Sinje', 6.8525, -11.1275),
  bopolu: place('Gbarpolu', 'centre', 'Bopolu', 7.0667, -10.4875),
  gbarnga: place('Bong', 'centre', 'Gbarnga', 6.9956, -9.4722),
  ganta: place('Nimba', 'centre', 'Ganta', 7.2365, -8.9823),
  sanniquellie: place('Nimba', 'centre', 'Sanniquellie', 7.364, -8.713),
  yekepa: place('Nimba', 'centre', 'Yekepa', 7.5794, -8.5378),
  voinjama: place('Lofa', 'centre', 'Voinjama', 8.4219, -9.7478),
  foya: place('Lofa', 'centre', 'Foya', 8.3605, -10.2085),
  buchanan: place('Grand Bassa', 'south', 'Buchanan', 5.8865, -10.0385),
  cestos: place('River Cess', 'south', 'Cestos City', 5.4605, -9.5755),
  greenville: place('Sinoe', 'south', 'Greenville', 5.0145, -9.0335),
  zwedru: place('Grand Gedeh', 'south-east', 'Zwedru', 6.0667, -8.1281),
  fishtown: place('River Gee', 'south-east', 'Fish Town', 5.1974, -7.8758),
  barclayville: place('Grand Kru', 'south-east', 'Barclayville', 4.6785, -8.2315),
  harper: place('Maryland', 'south-east', 'Harper', 4.3815, -7.7135),
  pleebo: place('Maryland', 'south-east', 'Pleebo', 4.5875, -7.675),
} as const satisfies Record<string, Place>;
export type PlaceName = keyof typeof PLACES;

export const STREETS: readonly string[] = [
  'Main Street',
  'Broad Street',
  'Market Road',
  'Mission Road',
  'Second Street',
  'Fifth Street',
  'Ninth Street',
  'Twelfth Street',
  'Beach Road',
  'Airfield Road',
  'Station Road',
  'Church Street',
  'Water Street',
  'Hill Road',
  'Camp Road',
  'School Road',
];
