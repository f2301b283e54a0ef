import { objectOf, textOf, type JsonObject } from '../shared/json.ts';
import { showTimesOf, zoneAt } from '../shared/page.ts';

export type Zone = Readonly<ReturnType<typeof createZone>>;

/**
 * The time zone in which the administration shows and reads times: that of the venue to which the key belongs, and on a
 * page of one event that of the venue of the event, where it has one; otherwise that of the browser.
 * @param license the licence of the key
 */
export function createZone(license: JsonObject) {
  const licenseId = textOf(license['id']);
  let own = zoneIn(license);
  return {
    /** Goes back to the zone of the own venue. */
    showOwn(): void {
      showTimesOf(own);
    },
    /** Changes to the zone of the venue of an event. Called before anything of the event is shown. */
    showOf(event: JsonObject): void {
      showTimesOf(zoneIn(objectOf(event['venue'])) ?? own);
    },
    /** Follows a change of the own venue's zone; other licences change nothing. */
    follow(changed: JsonObject): void {
      if (textOf(changed['id']) !== licenseId) return;
      own = zoneIn(changed);
      showTimesOf(own);
    },
  };
}

/** The zone of an event that is shown among others. */
export function zoneOfEvent(event: JsonObject): string | undefined {
  return zoneAt({ timeZone: zoneIn(objectOf(event['venue'])) });
}

/** The name of the time zone of a licence or of a venue; null: it has none. */
function zoneIn(venue: JsonObject): string | null {
  return textOf(venue['timeZone']) || null;
}
