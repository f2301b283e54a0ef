import { TextInput } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import say from '../../texts/imports.json' with { type: 'json' };
import { Picker } from '../parts/picker.tsx';

/** The event of the laps: one that is there, or, with an empty id, a new one of this name. */
export interface ChosenEvent {
  readonly eventId: string;
  readonly name: string;
}

/** The service takes names of events of so many letters. */
export const MIN_NAME_LETTERS = 2;
const MAX_NAME_LETTERS = 120;

interface EventChoiceProps {
  readonly event: ChosenEvent;
  readonly onEvent: (event: ChosenEvent) => void;
}

export function EventChoice({ event, onEvent }: EventChoiceProps) {
  const { eventId, name } = event;
  return (
    <div class="form-fields">
      <div class="form-field">
        <label for="import-event">{t(say.event)}</label>
        <Picker
          id="import-event"
          refersTo="Event"
          chosen={[eventId].filter(Boolean)}
          many={false}
          onChange={([chosen = '']) => onEvent({ eventId: chosen, name })}
        />
        <p class="hint">{t(say.eventHint)}</p>
      </div>
      {eventId === '' && (
        <div class="form-field">
          <label for="import-event-name">{t(say.eventName)}</label>
          <TextInput
            id="import-event-name"
            minLength={MIN_NAME_LETTERS}
            maxLength={MAX_NAME_LETTERS}
            value={name}
            onText={(text) => onEvent({ eventId, name: text })}
          />
        </div>
      )}
    </div>
  );
}
