// What guards report: a few reports of each category, from which the demo company's incidents are made.

export const CATEGORIES = [
  'security',
  'safety',
  'property',
  'medical',
  'fire',
  'theft',
  'vandalism',
  'other',
] as const;
export type Category = (typeof CATEGORIES)[number];
export type Severity = 'low' | 'medium' | 'high' | 'critical';

export type Report = readonly [title: string, severity: Severity, description: string];

/** How often each category is reported. */
export const CATEGORY_WEIGHTS: readonly (readonly [Category, number])[] = [
  ['security', 28],
  ['property', 16],
  ['theft', 14],
  ['safety', 13],
  ['medical', 9],
  ['vandalism', 8],
  ['other', 8],
  ['fire', 4],
];

export const REPORTS: Record<Category, readonly Report[]> = {
  security: [
    [
      'Unknown man at the back fence',
      'medium',
      'An unknown man walked along the back fence twice and looked over it. He left when we called to him. The patrol was doubled until morning.',
    ],
    [
      'Visitor without identification',
      'low',
      'A visitor could not show identification and became loud at the gate. He was turned away and the client was informed.',
    ],
    [
      'Attempted break-in at the store',
      'high',
      'The padlock of the store was found forced at 03:40. Nothing is missing. Police were informed and the door is guarded.',
    ],
    [
      'Vehicle refused to stop at the gate',
      'high',
      'A white pickup drove through the gate without stopping. The number was noted and given to the shift commander.',
    ],
    [
      'Armed men reported nearby',
      'critical',
      'Neighbours reported three armed men on the road beside the compound. Gates were closed, the response team and police were called.',
    ],
    [
      'Crowd gathering outside the gate',
      'medium',
      'About forty people gathered outside the gate over a wage dispute. The side entrance was used and the crowd left after two hours.',
    ],
    [
      'Camera offline for an hour',
      'low',
      'The camera at the loading bay was offline for an hour. The fence was patrolled on foot until it came back.',
    ],
  ],
  safety: [
    [
      'Worker without helmet in the yard',
      'low',
      'A contractor walked in the yard without a helmet. He was given one and his supervisor was told.',
    ],
    [
      'Live wire on the ground after storm',
      'critical',
      'The storm brought a live wire down beside the parking area. The area was closed off and the power company was called.',
    ],
    [
      'Slippery steps at the main entrance',
      'low',
      'The steps are slippery after rain. A sign was set up and the client was asked to put down a mat.',
    ],
    [
      'Forklift driven too fast',
      'medium',
      'The forklift driver drove too fast between the containers and nearly struck a loader. He was stopped and reported to the yard manager.',
    ],
  ],
  property: [
    [
      'Broken window found on patrol',
      'low',
      'A window on the ground floor was found broken on the 02:00 patrol. No sign of entry. The frame was covered with board.',
    ],
    [
      'Gate barrier damaged by truck',
      'medium',
      'A truck reversed into the barrier and bent it. The driver signed the occurrence book and photos were taken.',
    ],
    [
      'Water leak in the store room',
      'medium',
      'Water was leaking from the ceiling of the store room. Cartons were moved and the water was shut off.',
    ],
    [
      'Perimeter lights out',
      'medium',
      'Six lights along the east fence are out. Torches were handed out and the electrician was called.',
    ],
    [
      'Generator failed to start',
      'high',
      'The generator did not start in the power cut. The site was dark for 50 minutes and all posts stood at the fence.',
    ],
  ],
  medical: [
    [
      'Worker collapsed in the heat',
      'high',
      'A loader collapsed in the heat. First aid was given, he was taken to the clinic and is stable.',
    ],
    [
      'Guard bitten by a dog',
      'medium',
      'A guard was bitten by a stray dog on patrol. The wound was cleaned and he was sent for the injection.',
    ],
    [
      'Cut hand at the workshop',
      'low',
      'A mechanic cut his hand. The wound was dressed from the first-aid kit and he went back to work.',
    ],
    [
      'Visitor with chest pain',
      'critical',
      'A visitor had chest pain in the waiting room. The ambulance was called and he was carried to the gate to meet it.',
    ],
  ],
  fire: [
    [
      'Smoke from the waste area',
      'medium',
      'Smoke rose from the waste area. The fire was put out with two extinguishers; both need a refill.',
    ],
    [
      'Electrical fire in the guard post',
      'high',
      'The socket in the guard post caught fire. Power was cut and the fire was put out. The post can not be used.',
    ],
    [
      'Bush fire close to the fence',
      'high',
      'A bush fire came within 30 metres of the fence. A strip was cleared with the client’s workers and the fire passed.',
    ],
  ],
  theft: [
    [
      'Two fuel cans missing',
      'medium',
      'Two cans of fuel are missing from the pump house. The lock is whole. The key book was checked and handed to the client.',
    ],
    [
      'Phone stolen from reception',
      'low',
      'A phone was taken from the reception desk while the clerk was away. Camera pictures are being looked at.',
    ],
    [
      'Cable cut and carried away',
      'high',
      'About 60 metres of cable were cut and carried away from the yard in the rain. Police have been informed, case number in the book.',
    ],
    [
      'Thief held at the container yard',
      'high',
      'A man was caught with tools over the fence and held until police took him. No force was needed.',
    ],
    [
      'Worker leaving with materials',
      'medium',
      'Roofing nails were found in a bag at the search point. The client’s manager took over the case.',
    ],
  ],
  vandalism: [
    [
      'Slogans painted on the wall',
      'low',
      'Slogans were painted on the outer wall during the night. Photos were taken and the wall will be repainted.',
    ],
    [
      'Tyres of a parked car cut',
      'medium',
      'Two tyres of a visitor’s car were cut in the parking area behind the camera. The owner has been informed.',
    ],
    [
      'Fence cut open in one place',
      'medium',
      'The fence was cut open at the north corner, about one metre. It was closed with wire and the corner has a post tonight.',
    ],
  ],
  other: [
    [
      'Lost child brought to the gate',
      'low',
      'A child of about six years was brought to the gate. The mother was found through the community chairman.',
    ],
    [
      'Noise complaint by neighbours',
      'low',
      'Neighbours complained about the noise of the generator. The client has been asked to move it.',
    ],
    [
      'Relief arrived without uniform',
      'low',
      'The relief arrived without uniform and was sent home. The post was covered until 19:30.',
    ],
    [
      'Flooded access road',
      'medium',
      'The access road is under water after the rain. Vehicles use the side road and two guards direct them.',
    ],
  ],
};

export const FOLLOW_UPS: readonly string[] = [
  'Spoke with the client. They will repair it this week.',
  'Statement taken from the guard and the shift commander.',
  'Police report received, copy in the file.',
  'Site orders changed; all shifts briefed.',
  'Nothing further found. Closed with the client.',
  'Replacement ordered, extra patrol until it arrives.',
];
