// Invented clients of the demo company and the sites they have guarded.
import type { PlaceName } from './places.ts';

export type PaymentMethod = 'monthly' | 'quarterly' | 'annually' | 'on-demand' | 'cash';

/** Guards by turn: two turns of twelve hours (day, night), or three of eight (morning, afternoon, night). */
export type Turns = readonly [day: number, night: number] | readonly [number, number, number];
export type SiteEntry = readonly [name: string, place: PlaceName, turns: Turns];
export type ClientEntry = readonly [
  name: string,
  payment: PaymentMethod,
  sites: readonly SiteEntry[],
];

/** Where supervisor@, guard@ and guard2@ are: the busiest site. */
export const BUSIEST_SITE = 'Freeport Container Yard';

export const CLIENTS: readonly ClientEntry[] = [
  [
    'Cape Mesurado Terminals',
    'monthly',
    [
      [BUSIEST_SITE, 'freeport', [8, 6]],
      ['Cape Mesurado Tank Farm', 'bushrod', [3, 3]],
    ],
  ],
  [
    'An embassy residence, Mamba Point',
    'quarterly',
    [['Embassy Residence, Mamba Point', 'mamba', [2, 2, 2]]],
  ],
  [
    'An embassy chancery, Congo Town',
    'quarterly',
    [
      ['Chancery Compound, Congo Town', 'congo', [3, 3, 3]],
      ['Embassy Staff Housing', 'oldroad', [2, 2]],
    ],
  ],
  ['An embassy trade office, Sinkor', 'annually', [['Trade Office, Sinkor', 'sinkor', [2, 2]]]],
  [
    'Harbour View Estates',
    'monthly',
    [
      ['Mamba Point Residence', 'mamba', [4, 4]],
      ['Harbour View Apartments', 'sinkor', [3, 3]],
    ],
  ],
  [
    'Ducor Commercial Bank',
    'monthly',
    [
      ['Ducor Bank Head Office', 'broad', [4, 3]],
      ['Ducor Bank Paynesville Branch', 'paynesville', [2, 2]],
      ['Ducor Bank Ganta Branch', 'ganta', [2, 2]],
    ],
  ],
  [
    'Mesurado Savings & Loan',
    'monthly',
    [
      ['Mesurado Savings, Randall Street', 'broad', [3, 2]],
      ['Mesurado Savings, Kakata', 'kakata', [2, 2]],
    ],
  ],
  [
    'Pepper Coast Microfinance',
    'monthly',
    [
      ['Pepper Coast Office, Red Light', 'redlight', [2, 2]],
      ['Pepper Coast Office, Gbarnga', 'gbarnga', [2, 1]],
    ],
  ],
  ['Lone Pine Hotel', 'monthly', [['Lone Pine Hotel', 'sinkor', [2, 2, 2]]]],
  ['Palm Grove Beach Hotel', 'monthly', [['Palm Grove Beach Hotel', 'congo', [3, 3]]]],
  ['Bassa Bay Lodge', 'cash', [['Bassa Bay Lodge', 'buchanan', [2, 2]]]],
  ['Robertsport Surf Lodge', 'cash', [['Robertsport Surf Lodge', 'robertsport', [1, 2]]]],
  [
    'Nimba Ridge Mining',
    'monthly',
    [
      ['Nimba Ridge Main Camp', 'yekepa', [6, 5]],
      ['Nimba Ridge Rail Siding', 'sanniquellie', [3, 3]],
      ['Nimba Ridge Port Yard', 'buchanan', [3, 3]],
    ],
  ],
  [
    'Bong Hills Aggregates',
    'monthly',
    [
      ['Bong Hills Quarry', 'gbarnga', [3, 3]],
      ['Bong Hills Weighbridge', 'kakata', [1, 2]],
    ],
  ],
  ['Gola Forest Timber', 'quarterly', [['Gola Timber Yard', 'bopolu', [2, 2]]]],
  [
    'Sinoe Palm Estates',
    'monthly',
    [
      ['Sinoe Palm Mill', 'greenville', [3, 3]],
      ['Sinoe Palm Nursery', 'greenville', [2, 2]],
    ],
  ],
  [
    'Cavalla Rubber Growers',
    'monthly',
    [
      ['Cavalla Rubber Factory', 'pleebo', [3, 3]],
      ['Cavalla Growers Office', 'harper', [2, 2]],
    ],
  ],
  [
    'Farmington Rubber Estate',
    'monthly',
    [
      ['Farmington Estate Gate', 'harbel', [4, 3]],
      ['Farmington Latex Store', 'harbel', [2, 3]],
    ],
  ],
  [
    'Rivergate Logistics Park',
    'monthly',
    [
      ['Rivergate Warehouses', 'bushrod', [4, 4]],
      ['Rivergate Truck Yard', 'caldwell', [2, 3]],
    ],
  ],
  ['Blue Anchor Shipping', 'monthly', [['Blue Anchor Bonded Store', 'freeport', [3, 3]]]],
  [
    'Kru Coast Fisheries',
    'on-demand',
    [
      ['Kru Coast Cold Store', 'bushrod', [2, 2]],
      ['Kru Coast Landing, Barclayville', 'barclayville', [1, 2]],
    ],
  ],
  [
    'Atlantic Star Supermarkets',
    'monthly',
    [
      ['Atlantic Star, Sinkor', 'sinkor', [2, 2]],
      ['Atlantic Star, Congo Town', 'congo', [2, 2]],
    ],
  ],
  ['Greenmarket Wholesale', 'cash', [['Greenmarket Depot, Red Light', 'redlight', [2, 3]]]],
  ['Golden Rice Importers', 'monthly', [['Golden Rice Warehouse', 'freeport', [3, 3]]]],
  ['Sunrise Cement Depot', 'monthly', [['Sunrise Cement Depot', 'bushrod', [2, 3]]]],
  [
    'Evergreen Building Materials',
    'cash',
    [['Evergreen Showroom, Gardnersville', 'gardnersville', [2, 2]]],
  ],
  ['Savannah Motors', 'monthly', [['Savannah Motors Showroom', 'oldroad', [2, 2]]]],
  ['Kendeja Auto Parts', 'cash', [['Kendeja Auto Parts', 'elwa', [1, 2]]]],
  [
    'Mano River Telecom',
    'monthly',
    [
      ['Mano River Telecom Exchange', 'capitol', [2, 2, 2]],
      ['Mano River Tower Store, Voinjama', 'voinjama', [1, 2]],
    ],
  ],
  ['WestLink Internet', 'monthly', [['WestLink Data Room', 'airfield', [2, 2]]]],
  [
    'Saint Paul Hydro Services',
    'annually',
    [
      ['Saint Paul Switchyard', 'careysburg', [3, 3]],
      ['Saint Paul Meter Store', 'gardnersville', [2, 2]],
    ],
  ],
  ['Montrado Fuel Distributors', 'monthly', [['Montrado Depot, Caldwell', 'caldwell', [3, 3]]]],
  [
    'Hinterland Petroleum',
    'monthly',
    [
      ['Hinterland Station, Ganta', 'ganta', [2, 2]],
      ['Hinterland Station, Zwedru', 'zwedru', [2, 2]],
    ],
  ],
  ['Good Shepherd Hospital', 'monthly', [['Good Shepherd Hospital', 'sinkor', [3, 2, 2]]]],
  ['Lofa Mission Clinic', 'quarterly', [['Lofa Mission Clinic, Foya', 'foya', [1, 2]]]],
  [
    'Maryland Coast Medical Centre',
    'monthly',
    [['Maryland Coast Medical Centre', 'harper', [2, 2]]],
  ],
  ['Saint Brendan Academy', 'annually', [['Saint Brendan Academy', 'oldroad', [3, 2]]]],
  ['Ricks Hill International School', 'annually', [['Ricks Hill Campus', 'careysburg', [2, 2]]]],
  ['Tubman Trail Polytechnic', 'annually', [['Tubman Trail Campus', 'tubmanburg', [2, 2]]]],
  ['Harper Teachers Institute', 'annually', [['Harper Teachers Institute', 'harper', [2, 2]]]],
  [
    'Hope Bridge Relief',
    'quarterly',
    [
      ['Hope Bridge Country Office', 'congo', [2, 2]],
      ['Hope Bridge Store, Zwedru', 'zwedru', [2, 2]],
    ],
  ],
  ['Clean Wells Liberia', 'quarterly', [['Clean Wells Office', 'sinkor', [1, 2]]]],
  ['Children First Network', 'quarterly', [['Children First Office, Gbarnga', 'gbarnga', [1, 2]]]],
  [
    'Rainforest Futures Trust',
    'quarterly',
    [
      ['Rainforest Futures, Fish Town', 'fishtown', [1, 1]],
      ['Rainforest Futures, Cestos', 'cestos', [1, 1]],
    ],
  ],
  ['River Gee Cocoa Union', 'cash', [['Cocoa Union Store, Fish Town', 'fishtown', [1, 2]]]],
  ['Cestos Oil Palm Cooperative', 'cash', [['Cestos Cooperative Mill', 'cestos', [1, 2]]]],
  ['Grand Kru Fishing Cooperative', 'cash', [['Cooperative Ice House', 'barclayville', [1, 1]]]],
  ['Grace Tabernacle', 'on-demand', [['Grace Tabernacle, Paynesville', 'paynesville', [2, 1]]]],
  ['Capitol Law Chambers', 'monthly', [['Capitol Law Chambers', 'capitol', [1, 1]]]],
  ['Liberty Court Offices', 'monthly', [['Liberty Court', 'broad', [3, 2]]]],
  ['Crown Hill Apartments', 'monthly', [['Crown Hill Apartments', 'broad', [2, 2]]]],
  ['Oceanfront Villas Association', 'monthly', [['Oceanfront Villas Gate', 'congo', [2, 2]]]],
  ['Bentol Gardens Estate', 'monthly', [['Bentol Gardens Gate', 'careysburg', [2, 2]]]],
  ['Duport Road Townhouses', 'cash', [['Duport Road Townhouses', 'paynesville', [1, 2]]]],
  [
    'A government ministry annex, Capitol Hill',
    'quarterly',
    [['Ministry Annex, Capitol Hill', 'capitol', [3, 2]]],
  ],
  ['Mainline Broadcasting', 'monthly', [['Mainline Studios', 'capitol', [2, 2]]]],
  ['Daily Beacon Press', 'monthly', [['Daily Beacon Printworks', 'gardnersville', [1, 2]]]],
  ['Providence Courier', 'monthly', [['Providence Courier Hub', 'airfield', [2, 2]]]],
  ['Skyway Aviation Services', 'monthly', [['Skyway Cargo Shed', 'robertsfield', [2, 2, 2]]]],
  ['Robertsfield Car Rental', 'cash', [['Robertsfield Car Park', 'robertsfield', [1, 2]]]],
  ['Sinje Farm Machinery', 'on-demand', [['Sinje Machinery Yard', 'sinje', [1, 2]]]],
  ['Brewerville Block Factory', 'cash', [['Brewerville Block Factory', 'brewerville', [1, 2]]]],
  [
    'Waterside Textiles',
    'monthly',
    [
      ['Waterside Textiles', 'broad', [2, 2]],
      ['Waterside Textiles Store', 'gardnersville', [1, 2]],
    ],
  ],
  [
    'Coastal Road Builders',
    'monthly',
    [
      ['Road Camp, Buchanan', 'buchanan', [2, 3]],
      ['Road Camp, Greenville', 'greenville', [2, 2]],
    ],
  ],
  ['Diamond Creek Exploration', 'on-demand', [['Diamond Creek Camp', 'bopolu', [2, 2]]]],
  ['Cottonwood Events Centre', 'on-demand', [['Cottonwood Events Centre', 'elwa', [2, 2]]]],
  ['Northern Gateway Traders', 'cash', [['Northern Gateway Store, Ganta', 'ganta', [1, 2]]]],
];
