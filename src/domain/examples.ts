import type { Category } from './categories.ts';

interface Example {
  readonly id: string;
  readonly name: string;
}

/** Examples of ids and names in the API document, which are about a hotlap evening at Spa-Francorchamps. */
export const EXAMPLES: Readonly<Record<Category, Example>> = {
  license: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01', name: 'Apex Arena' },
  apiKey: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02', name: 'Rig 7' },
  rig: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03', name: 'Rig 7' },
  simulator: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04', name: 'Assetto Corsa Competizione' },
  track: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05', name: 'Circuit de Spa-Francorchamps' },
  trackLayout: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06', name: 'Spa Grand Prix' },
  carBrand: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07', name: 'Porsche' },
  carClass: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08', name: 'Gran Turismo 3' },
  car: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09', name: '911 GT3 R (992)' },
  brand: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a', name: 'Brakes & Sons' },
  event: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b', name: 'Spa hotlap Friday' },
  signupField: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0c', name: 'T-shirt size' },
  participant: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d', name: 'Nora Lindqvist' },
  lap: { id: '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e', name: '2:18.491' },
  file: { id: '2b1f6c1e-7d55-5c1e-9a55-6a1f0c2b7e0f', name: 'spa/logo.svg' },
};
