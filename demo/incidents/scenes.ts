// Drawn "photographs": one scene per incident category.
import type { Row } from '../../shared/database.types.ts';

const WIDTH = 960;
const HEIGHT = 640;

const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more = '',
): string => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const line = (path: string, stroke: string, width: number): string =>
  `<path d="${path}" stroke="${stroke}" stroke-width="${width}" fill="none" stroke-linecap="round"/>`;
const shape = (path: string, fill: string, opacity = 1): string =>
  `<path d="${path}" fill="${fill}" opacity="${opacity}"/>`;
const repeated = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const wall = rect(0, 0, WIDTH, 460, '#b9ad97') + rect(0, 460, WIDTH, 180, '#7d7263');
const street = rect(0, 0, WIDTH, 420, '#8fa6b8') + rect(0, 420, WIDTH, 220, '#6f675c');
const night = rect(0, 0, WIDTH, HEIGHT, '#16202d') + rect(0, 450, WIDTH, 190, '#0f1620');
const lamp =
  circle(740, 120, 26, '#ffe9ad') + shape('M740 120 L520 640 L960 640 Z', '#ffe9ad', 0.16);
const box = rect(380, 250, 200, 150, '#f3f1ea', 'rx="14"');

const SCENES: Record<Row<'incidents'>['category'], string> = {
  security: `${night}${lamp}${repeated(11, (i) => rect(90 + i * 46, 210, 10, 300, '#3d4a58'))}${rect(80, 240, 490, 12, '#3d4a58')}${rect(80, 470, 490, 12, '#3d4a58')}${shape('M610 500 l24 -150 q16 -46 32 0 l24 150 Z', '#0a0f16')}${circle(650, 322, 24, '#0a0f16')}`,
  property: `${street}${repeated(15, (i) => line(`M${60 + i * 58} 200 V520`, '#4d4740', 6))}${repeated(9, (i) => line(`M60 ${215 + i * 36} H880`, '#867c6f', 2))}${shape('M430 330 q70 -60 130 10 q40 90 -30 150 q-110 30 -120 -60 Z', '#6f8296')}${line('M430 330 l-34 -20 M560 340 l36 -26 M530 490 l30 34', '#4d4740', 5)}`,
  theft: `${wall}${rect(330, 120, 300, 380, '#5a4632')}${rect(350, 140, 260, 340, '#6c5540')}${rect(560, 290, 34, 60, '#c8a55c', 'rx="6"')}${line('M563 292 q14 -50 28 -2', '#8f8f8f', 9)}${line('M604 262 l34 -30 M606 300 h44', '#2f251b', 7)}`,
  safety: `${wall}${shape('M200 600 q260 -140 600 -30 q60 60 -80 70 Z', '#9fc3d6', 0.75)}${shape('M470 250 L370 560 H570 Z', '#e8b93a')}${shape('M470 300 L396 540 H544 Z', '#f6d264')}${rect(461, 380, 18, 90, '#3b3224')}${circle(470, 500, 12, '#3b3224')}`,
  medical: `${wall}${box}${rect(460, 280, 40, 90, '#b5322f')}${rect(435, 305, 90, 40, '#b5322f')}${rect(430, 228, 100, 26, '#d9d4c7', 'rx="8"')}${rect(200, 480, 560, 60, '#4c5f70', 'rx="20"')}`,
  fire: `${wall}${shape('M120 0 q180 120 60 240 q160 40 90 170 q-190 -30 -190 -190 q-80 -120 40 -220 Z', '#3d3a37', 0.5)}${rect(620, 250, 90, 250, '#b5322f', 'rx="36"')}${rect(646, 214, 38, 44, '#2d2d2d')}${line('M684 230 q90 30 60 170', '#2d2d2d', 12)}${circle(665, 330, 20, '#f3f1ea')}`,
  vandalism: `${wall}${rect(300, 120, 360, 260, '#d6e3ea')}${rect(300, 120, 360, 260, 'none', 'stroke="#5b5347" stroke-width="18"')}${shape('M470 230 l-60 -40 22 52 -66 16 62 22 -34 58 58 -30 30 62 8 -66 66 12 -44 -48 46 -42 -62 8 Z', '#22303c')}${line('M470 230 L320 150 M470 230 L640 160 M470 230 L600 370 M470 230 L340 360', '#f4f8fa', 3)}`,
  other: `${street}${rect(220, 330, 460, 150, '#e7e3da', 'rx="34"')}${shape('M300 330 q40 -100 140 -100 h70 q90 0 120 100 Z', '#cfd8de')}${circle(320, 486, 52, '#26231f')}${circle(580, 486, 52, '#26231f')}${circle(320, 486, 22, '#8d8d8d')}${circle(580, 486, 22, '#8d8d8d')}${rect(660, 390, 26, 34, '#c2452f')}`,
};

/** By category, as SVG without text, since not every machine has fonts. */
export const scenes = Object.entries(SCENES).map(([category, drawing]): [string, string] => [
  category,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${drawing}</svg>`,
]);
