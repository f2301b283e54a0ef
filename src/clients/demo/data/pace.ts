/**
 * How fast the layouts of the hotlap event are driven: average speed of a very good lap in a GT3 car in km/h, and where
 * the sectors end, as shares of the lap time that add up to 1. That is about 2:17 at Spa, 1:47 at Monza, and so on.
 */
export const PACE = [
  { layout: 'spa-grand-prix', gt3Speed: 183.4, sectors: [0.3, 0.43, 0.27] },
  { layout: 'monza-grand-prix', gt3Speed: 194, sectors: [0.33, 0.34, 0.33] },
  { layout: 'silverstone-grand-prix', gt3Speed: 179.7, sectors: [0.3, 0.4, 0.3] },
  { layout: 'nurburgring-grand-prix', gt3Speed: 163.3, sectors: [0.36, 0.37, 0.27] },
  { layout: 'suzuka-full', gt3Speed: 175.7, sectors: [0.33, 0.45, 0.22] },
  { layout: 'mount-panorama', gt3Speed: 185.6, sectors: [0.38, 0.32, 0.3] },
] as const;

/** Lap time of a class relative to GT3, for the classes of the hotlap event. */
export const CLASS_PACE = [{ carClass: 'GT3', share: 1 }, { carClass: 'GT4', share: 1.093 }];
