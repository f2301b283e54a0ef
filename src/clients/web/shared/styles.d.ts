/** Style sheets are imported for the build to gather them; they have no values. */
declare module '*.css';
