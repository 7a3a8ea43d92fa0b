// Towns and parts of Monrovia, to tell where on the map one is. Coordinates in degrees, WGS 84.

type Place = {
  name: string;
  latitude: number;
  longitude: number;
  /** Zoom of Web Mercator from which there is room for the name. */
  zoom: number;
};

export const PLACES: readonly Place[] = [
  { name: 'Monrovia', latitude: 6.3005, longitude: -10.7969, zoom: 0 },
  { name: 'Gbarnga', latitude: 6.9956, longitude: -9.4722, zoom: 6 },
  { name: 'Buchanan', latitude: 5.8808, longitude: -10.0467, zoom: 6 },
  { name: 'Ganta', latitude: 7.2365, longitude: -8.9823, zoom: 6 },
  { name: 'Zwedru', latitude: 6.0667, longitude: -8.1281, zoom: 6 },
  { name: 'Voinjama', latitude: 8.4219, longitude: -9.7478, zoom: 6 },
  { name: 'Greenville', latitude: 5.0113, longitude: -9.0388, zoom: 6 },
  { name: 'Harper', latitude: 4.375, longitude: -7.7169, zoom: 6 },
  { name: 'Robertsport', latitude: 6.7533, longitude: -11.3686, zoom: 7.5 },
  { name: 'Tubmanburg', latitude: 6.8706, longitude: -10.8178, zoom: 7.5 },
  { name: 'Kakata', latitude: 6.5301, longitude: -10.3517, zoom: 7.5 },
  { name: 'Bopolu', latitude: 7.0667, longitude: -10.4875, zoom: 7.5 },
  { name: 'Sanniquellie', latitude: 7.364, longitude: -8.713, zoom: 8 },
  { name: 'Yekepa', latitude: 7.5794, longitude: -8.5378, zoom: 8 },
  { name: 'Foya', latitude: 8.3605, longitude: -10.2085, zoom: 7.5 },
  { name: 'Cestos City', latitude: 5.4569, longitude: -9.5817, zoom: 7.5 },
  { name: 'Fish Town', latitude: 5.1974, longitude: -7.8758, zoom: 7.5 },
  { name: 'Barclayville', latitude: 4.6744, longitude: -8.2314, zoom: 7.5 },
  { name: 'Pleebo', latitude: 4.5875, longitude: -7.675, zoom: 8.5 },
  { name: 'Harbel', latitude: 6.2795, longitude: -10.3505, zoom: 8.5 },
  { name: 'Bensonville', latitude: 6.4464, longitude: -10.6128, zoom: 9.5 },
  { name: 'Careysburg', latitude: 6.4075, longitude: -10.5395, zoom: 9.5 },
  { name: 'Brewerville', latitude: 6.4235, longitude: -10.7745, zoom: 10 },
  { name: 'Paynesville', latitude: 6.2805, longitude: -10.7085, zoom: 10 },
  { name: 'Caldwell', latitude: 6.3905, longitude: -10.7605, zoom: 11.5 },
  { name: 'Bushrod Island', latitude: 6.3635, longitude: -10.7825, zoom: 11.5 },
  { name: 'Gardnersville', latitude: 6.3465, longitude: -10.7365, zoom: 11.5 },
  { name: 'Sinkor', latitude: 6.2886, longitude: -10.7745, zoom: 11.5 },
  { name: 'Congo Town', latitude: 6.2745, longitude: -10.7425, zoom: 11.5 },
  { name: 'Red Light', latitude: 6.2905, longitude: -10.6785, zoom: 11.5 },
  { name: 'ELWA Junction', latitude: 6.2575, longitude: -10.6985, zoom: 12.5 },
  { name: 'Freeport', latitude: 6.3505, longitude: -10.7865, zoom: 12.5 },
  { name: 'Old Road', latitude: 6.2795, longitude: -10.7465, zoom: 13.5 },
  { name: 'Mamba Point', latitude: 6.3135, longitude: -10.8085, zoom: 13 },
  { name: 'Capitol Hill', latitude: 6.3, longitude: -10.794, zoom: 13 },
];
