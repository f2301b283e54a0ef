/** What stands for the personal fields of a participant who was erased. */
export const ERASED_PERSON = {
  firstName: 'Erased',
  lastName: 'participant',
  email: '',
  phoneNumber: '',
  extraFieldsJson: {},
  nickname: null,
} as const;
