/** The name under which a module imports what this package exports. */
export const PACKAGE_NAME = 'sim-racing-timing';
