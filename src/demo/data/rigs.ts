import type { RigData } from '../types.ts';

/** The four rigs of the demo venue. */
export const RIGS: readonly RigData[] = [
  {
    hardwareId: 'SRT-DEMO-7C2F-01', name: 'Rig 1 window',
    description: 'Fanatec ClubSport DD+, Heusinkveld Sprint pedals, triple 32-inch screens',
  },
  {
    hardwareId: 'SRT-DEMO-7C2F-02', name: 'Rig 2 centre',
    description: 'Simucube 2 Pro, Heusinkveld Ultimate+ pedals, 49-inch ultrawide',
  },
  {
    hardwareId: 'SRT-DEMO-7C2F-03', name: 'Rig 3 wall',
    description: 'MOZA R21, MOZA CRP pedals, triple 27-inch screens',
  },
  {
    hardwareId: 'SRT-DEMO-7C2F-04', name: 'Rig 4 motion',
    description: 'Asetek Forte wheelbase and pedals, Sim-Lab P1X Pro frame on motion actuators, VR headset',
  },
];
