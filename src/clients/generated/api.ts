/** Types of the interface, for openapi-fetch. Made from the OpenAPI document by `npm run client`: do not edit them. */
export interface paths {
    "/api/v1/laps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List laps
         * @description List laps. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listLaps"];
        put?: never;
        /**
         * Create one lap
         * @description Create one lap. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. The key of a rig may do it for its own. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createLap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/laps/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of laps
         * @description Get a page of laps. Sorted, with totals. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageLaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/laps/{lapId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one lap
         * @description Get one lap. By its id, whether lists have it or not. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getLap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one lap
         * @description Change one lap. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. The key of a rig may do it for its own. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateLap"];
        trace?: never;
    };
    "/api/v1/laps/{lapId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of one lap
         * @description List the changes of one lap. Oldest first: who changed what and when, with the values before and after. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getLapHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/laps/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 1,000 laps
         * @description Record up to 1,000 laps. Each lap has a verdict of its own: a bad one costs no other. Under the keys of its laps a batch may be sent again. Needs a key of role CRUD or higher. The key of a rig may do it for its own. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createLaps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List participants
         * @description List participants. All that fit the filters, in no particular order, in one answer that is streamed. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listParticipants"];
        put?: never;
        /**
         * Register one participant
         * @description Register one participant. A licence has one at most: 200 with that when there is one already. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. The key of a rig may do it for its own. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/participants/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of participants
         * @description Get a page of participants. Sorted, with totals. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/participants/{participantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one participant
         * @description Get one participant. By its id, whether lists have it or not. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getParticipant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one participant
         * @description Change one participant. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateParticipant"];
        trace?: never;
    };
    "/api/v1/participants/{participantId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of one participant
         * @description List the changes of one participant. Oldest first: who changed what and when, with the values before and after. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getParticipantHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/participants/{participantId}/bests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the best valid lap of a participant on each layout with each car
         * @description List the best valid lap of a participant on each layout with each car. Over all events. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listPersonalBests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description List events. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Create one event
         * @description Create one event. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of events
         * @description Get a page of events. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one event
         * @description Get one event. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one event
         * @description Change one event. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateEvent"];
        trace?: never;
    };
    "/api/v1/events/{eventId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of one event
         * @description List the changes of one event. Oldest first: who changed what and when, with the values before and after. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getEventHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of the leaderboard of an event
         * @description Get a page of the leaderboard of an event. The best lap of each driver, the fastest first. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the leaderboard of an event live
         * @description Watch the leaderboard of an event live. Server-sent events with JSON: first `board`, the whole of it, and then `lap`, `rows` and `heads` for each change. The last event of a change has an `id`, after which a reader who comes back goes on. Public: it needs no key. Times are in milliseconds. Instants are ISO 8601, shown in UTC.
         */
        get: operations["watchEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/completeness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell which numbered laps for an event have come in, and which are missing
         * @description Tell which numbered laps for an event have come in, and which are missing. What came in under another event is not missing. Needs a key of role R or higher.
         */
        get: operations["getEventCompleteness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{eventId}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of an event as CSV
         * @description Get the results of an event as CSV. Its whole leaderboard, as it is printed. Public: it needs no key.
         */
        get: operations["getResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rigs
         * @description List rigs. All that fit the filters, in no particular order, in one answer that is streamed. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listRigs"];
        put?: never;
        /**
         * Register a rig
         * @description Register a rig. With a licence file of its licence. The token of its key is shown only here. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["registerRig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of rigs
         * @description Get a page of rigs. Sorted, with totals. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageRigs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/hardwareId/{hardwareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the rig with a hardwareId
         * @description Get the rig with a hardwareId. By what the device is known by, whether lists have it or not. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getRigByHardwareId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/{rigId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one rig
         * @description Get one rig. By its id, whether lists have it or not. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getRig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one rig
         * @description Change one rig. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. The key of a rig may do it for its own. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateRig"];
        trace?: never;
    };
    "/api/v1/rigs/{rigId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of one rig
         * @description List the changes of one rig. Oldest first: who changed what and when, with the values before and after. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getRigHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/{rigId}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a new key to a rig
         * @description Issue a new key to a rig. Its other keys are revoked. The token is shown only here. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["issueRigKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/{rigId}/completeness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell which numbered laps of a rig have come in, and which are missing
         * @description Tell which numbered laps of a rig have come in, and which are missing. By the starts of its software, as its laps were numbered when they came in. Needs a key of role R or higher.
         */
        get: operations["getRigCompleteness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rigs/{rigId}/sequence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say up to which number a rig has sent its laps
         * @description Say up to which number a rig has sent its laps. So that laps that are missing at the end show, too. A lower number changes nothing; the answer is what counts. Needs a key of role CRUD or higher. The key of a rig may do it for its own.
         */
        put: operations["announceSequence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signup-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signup fields
         * @description List signup fields. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listSignupFields"];
        put?: never;
        /**
         * Create one signup field
         * @description Create one signup field. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createSignupField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signup-fields/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of signup fields
         * @description Get a page of signup fields. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageSignupFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signup-fields/{signupFieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one signup field
         * @description Get one signup field. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getSignupField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one signup field
         * @description Change one signup field. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateSignupField"];
        trace?: never;
    };
    "/api/v1/simulators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulators
         * @description List simulators. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listSimulators"];
        put?: never;
        /**
         * Create one simulator
         * @description Create one simulator. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createSimulator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/simulators/{simulatorId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one simulator
         * @description Get one simulator. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getSimulator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one simulator
         * @description Change one simulator. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateSimulator"];
        trace?: never;
    };
    "/api/v1/simulators/{simulatorId}/layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulator layouts of one simulator
         * @description List simulator layouts of one simulator. All of them, in one answer that is streamed. Public: it needs no key.
         */
        get: operations["listSimulatorLayouts"];
        put?: never;
        /**
         * Create one simulator layout
         * @description Create one simulator layout. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher.
         */
        post: operations["createSimulatorLayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/simulators/{simulatorId}/layouts/{trackLayoutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one simulator layout
         * @description Get one simulator layout. By its id, whether lists have it or not. Public: it needs no key.
         */
        get: operations["getSimulatorLayout"];
        put?: never;
        post?: never;
        /**
         * Delete one simulator layout
         * @description Delete one simulator layout. The mapping is taken back; it may be made again. Needs a key of role CRUD or higher.
         */
        delete: operations["deleteSimulatorLayout"];
        options?: never;
        head?: never;
        /**
         * Change one simulator layout
         * @description Change one simulator layout. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher.
         */
        patch: operations["updateSimulatorLayout"];
        trace?: never;
    };
    "/api/v1/simulators/{simulatorId}/cars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulator cars of one simulator
         * @description List simulator cars of one simulator. All of them, in one answer that is streamed. Public: it needs no key.
         */
        get: operations["listSimulatorCars"];
        put?: never;
        /**
         * Create one simulator car
         * @description Create one simulator car. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher.
         */
        post: operations["createSimulatorCar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/simulators/{simulatorId}/cars/{carId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one simulator car
         * @description Get one simulator car. By its id, whether lists have it or not. Public: it needs no key.
         */
        get: operations["getSimulatorCar"];
        put?: never;
        post?: never;
        /**
         * Delete one simulator car
         * @description Delete one simulator car. The mapping is taken back; it may be made again. Needs a key of role CRUD or higher.
         */
        delete: operations["deleteSimulatorCar"];
        options?: never;
        head?: never;
        /**
         * Change one simulator car
         * @description Change one simulator car. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher.
         */
        patch: operations["updateSimulatorCar"];
        trace?: never;
    };
    "/api/v1/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tracks
         * @description List tracks. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listTracks"];
        put?: never;
        /**
         * Create one track
         * @description Create one track. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createTrack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tracks/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of tracks
         * @description Get a page of tracks. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tracks/{trackId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one track
         * @description Get one track. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one track
         * @description Change one track. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateTrack"];
        trace?: never;
    };
    "/api/v1/track-layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List track layouts
         * @description List track layouts. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Lengths are in metres. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listTrackLayouts"];
        put?: never;
        /**
         * Create one track layout
         * @description Create one track layout. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Lengths are in metres. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createTrackLayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/track-layouts/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of track layouts
         * @description Get a page of track layouts. Sorted, with totals. Public: it needs no key. Lengths are in metres. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageTrackLayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/track-layouts/{trackLayoutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one track layout
         * @description Get one track layout. By its id, whether lists have it or not. Public: it needs no key. Lengths are in metres. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getTrackLayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one track layout
         * @description Change one track layout. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Lengths are in metres. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateTrackLayout"];
        trace?: never;
    };
    "/api/v1/cars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cars
         * @description List cars. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listCars"];
        put?: never;
        /**
         * Create one car
         * @description Create one car. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createCar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cars/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of cars
         * @description Get a page of cars. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageCars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cars/{carId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one car
         * @description Get one car. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getCar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one car
         * @description Change one car. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateCar"];
        trace?: never;
    };
    "/api/v1/car-brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List car brands
         * @description List car brands. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listCarBrands"];
        put?: never;
        /**
         * Create one car brand
         * @description Create one car brand. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createCarBrand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/car-brands/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of car brands
         * @description Get a page of car brands. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageCarBrands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/car-brands/{carBrandId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one car brand
         * @description Get one car brand. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getCarBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one car brand
         * @description Change one car brand. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateCarBrand"];
        trace?: never;
    };
    "/api/v1/car-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List car classes
         * @description List car classes. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listCarClasses"];
        put?: never;
        /**
         * Create one car class
         * @description Create one car class. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createCarClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/car-classes/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of car classes
         * @description Get a page of car classes. Sorted, with totals. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageCarClasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/car-classes/{carClassId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one car class
         * @description Get one car class. By its id, whether lists have it or not. Public: it needs no key. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getCarClass"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one car class
         * @description Change one car class. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateCarClass"];
        trace?: never;
    };
    "/api/v1/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List brands
         * @description List brands. All that fit the filters, in no particular order, in one answer that is streamed. Public: it needs no key. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listBrands"];
        put?: never;
        /**
         * Create one brand
         * @description Create one brand. The answer is what the next GET shows; 202 with the id when that takes longer. Under one Idempotency-Key it may be sent again. Needs a key of role CRUD or higher. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createBrand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/brands/paged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of brands
         * @description Get a page of brands. Sorted, with totals. Public: it needs no key. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageBrands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/brands/{brandId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one brand
         * @description Get one brand. By its id, whether lists have it or not. Public: it needs no key. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one brand
         * @description Change one brand. What may be left out stays as it is, lists are replaced as a whole. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateBrand"];
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description List API keys. Those of the own licence, without their tokens. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create one API key
         * @description Create one API key. Under the own licence, of no higher role than that of the calling key. Its token is shown only here. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calling key
         * @description Get the calling key. Without its token; its role says what it may do. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getCurrentApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{apiKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one API key
         * @description Get one API key. Of the own licence; with an ADMIN key of any. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke one API key
         * @description Revoke one API key. For ever; requests under way with it fail at once. Needs a key of role CRUD or higher.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Change one API key
         * @description Change one API key. Its name, role or expiry. The answer is what the next GET shows; 202 with the id when that takes longer. Needs a key of role CRUD or higher. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{apiKeyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key a new token
         * @description Give an API key a new token. The token is shown only here; the old one may be valid for a while yet. Needs a key of role CRUD or higher. Times are in seconds. Instants are ISO 8601, shown in UTC.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List licenses
         * @description List licenses. All that fit the filters, in no particular order, in one answer that is streamed. Needs a key of role ADMIN. Instants are ISO 8601, shown in UTC.
         */
        get: operations["listLicenses"];
        put?: never;
        /**
         * Create one licence
         * @description Create one licence. With a key of role CRUD to begin with, whose token is shown only here. Needs a key of role ADMIN. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/licenses/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the licence of the calling key
         * @description Get the licence of the calling key. What the key of the request belongs to. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getCurrentLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/licenses/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one licence
         * @description Get one licence. The own one; with an ADMIN key any. Needs a key of role R or higher. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one licence
         * @description Change one licence. Disabled or expired, its keys are taken no more. Needs a key of role ADMIN. Instants are ISO 8601, shown in UTC.
         */
        patch: operations["updateLicense"];
        trace?: never;
    };
    "/api/v1/licenses/{licenseId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a licence file
         * @description Create a licence file. A signed file, with which rigs of the licence register; of the own licence, with an ADMIN key of any. Needs a key of role CR or higher. Instants are ISO 8601, shown in UTC.
         */
        post: operations["createLicenseFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/licenses/{licenseId}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a licence a new licence key
         * @description Give a licence a new licence key. Licence files with the one of before are worthless from then on. Needs a key of role ADMIN. Instants are ISO 8601, shown in UTC.
         */
        post: operations["rotateLicenseKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cdn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Upload a file. Others refer to it by the key `{type}/{targetName}`; a file with that key is replaced. Needs a key of role CRUD or higher.
         */
        post: operations["uploadCdnFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cdn/{type}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Download a file. The bytes, with the media type that its name tells; or a redirect, where files are served from elsewhere. Public: it needs no key.
         */
        get: operations["getCdnFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of the service
         * @description Get the health of the service. The status of each part; with an ADMIN key also what it says of hosts, processes and errors. Public: it needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health/liveness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process answers
         * @description Ask whether the process answers. It looks at nothing else. Public: it needs no key.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether requests should be sent here
         * @description Ask whether requests should be sent here. 503 while the process cannot answer them as it should. Public: it needs no key.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/prometheus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics
         * @description Get metrics. In the text format of Prometheus. Public: it needs no key.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of licence files
         * @description Get the public keys of licence files. As a JWK set (RFC 7517). Public: it needs no key.
         */
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the service
         * @description Get the status of the service. Health, lag, who projects, what is served, and what waits: of this node and of what all nodes share. Needs a key of role ADMIN. Times are in milliseconds. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a page of dead letters
         * @description Get a page of dead letters. Events that could not be projected, and those of their streams that came later, oldest first. Needs a key of role ADMIN. Instants are ISO 8601, shown in UTC.
         */
        get: operations["pageDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/dead-letters/{deadLetterId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a dead letter
         * @description Retry a dead letter. After a fix. Of one stream the first is to be retried first. The answer is what has come of it; 202 with the id when that takes longer. Needs a key of role ADMIN.
         */
        post: operations["retryDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the rebuild is at
         * @description Get what the rebuild is at. That which is under way, whoever began it, on whichever node; else the last that was asked for here. Needs a key of role ADMIN. Times are in milliseconds. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        get: operations["getRebuild"];
        put?: never;
        /**
         * Rebuild the read models
         * @description Rebuild the read models. From the events, beside the present ones, which are served until then; everything goes on meanwhile. The process that projects does it, and another goes on with it after a crash. While one that was asked for is under way, the answer is that one, and nothing is begun. Needs a key of role ADMIN. Times are in milliseconds. Sizes are in percent. Instants are ISO 8601, shown in UTC.
         */
        post: operations["requestRebuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Get this document. As OpenAPI 3.1. Public: it needs no key.
         */
        get: operations["getApiDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A problem (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description Names the kind of problem; the same for every occurrence.
             * @example urn:problem-type:not-found
             */
            type: string;
            /**
             * @description What is wrong, the same for every occurrence.
             * @example Not found
             */
            title: string;
            /**
             * @description Status of the answer.
             * @example 404
             */
            status: number;
            /**
             * @description What went wrong this time.
             * @example There is no resource with this id.
             */
            detail: string;
            /**
             * @description Path of the request.
             * @example /api/v1/laps/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            instance: string;
            /** @description What is wrong with the request, most useful first; absent where nothing can be named. */
            errors?: {
                /**
                 * @description JSON pointer (RFC 6901) into the body as a URI fragment, or #/query/…, #/path/…, #/header/….
                 * @example #/sectors/0
                 */
                pointer: string;
                /**
                 * @description What is wrong there.
                 * @example Too small: expected number to be >=0
                 */
                detail: string;
            }[];
        };
        /** @description A lap: who drove it, where, on what and how fast. Laps are recorded by rigs and may be corrected. */
        Lap: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * @description Name of what `participantId` names, as it is now.
             * @example Nora Lindqvist
             */
            participantName: string;
            /**
             * Format: uuid
             * @description The rig that it was driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId: string;
            /**
             * @description Name of the rig, as it is now; null: it has none.
             * @example Rig 7
             */
            rigName: string | null;
            /**
             * Format: uuid
             * @description The event that it counts for.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Name of what `eventId` names, as it is now.
             * @example Spa hotlap Friday
             */
            eventName: string;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors: number[];
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime: number;
            /**
             * @description Whether it counts: no cut, no contact.
             * @example true
             */
            valid: boolean;
            /**
             * Format: uuid
             * @description The car, which requests name as `carId`.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            car: string;
            /**
             * Format: uuid
             * @description The track layout, whatever the name says.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackId: string;
            /**
             * @description Name of what `trackId` names, as it is now.
             * @example Spa Grand Prix
             */
            trackDisplayName: string;
            /**
             * Format: date-time
             * @description When it was driven: when it was recorded, unless said.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt: string;
            /** @description Which lap of the rig that recorded it; null: not counted. */
            sequence: {
                /**
                 * @description Names one start of the software of the rig.
                 * @example 2026-05-01T17:55:00Z
                 */
                boot: string;
                /**
                 * @description Number of the lap since that start, from 1.
                 * @example 37
                 */
                number: number;
            } | null;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        LapPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Lap"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        /** @description One change of a resource. */
        Change: {
            /**
             * @description Place among the changes of the resource, from 0.
             * @example 1
             */
            revision: number;
            /**
             * @description Place among all events of the service.
             * @example 48211
             */
            position: number;
            /**
             * @description What happened.
             * @example LapInvalidated
             */
            type: string;
            /**
             * Format: date-time
             * @description When.
             * @example 2026-05-01T20:03:17.402Z
             */
            at: string;
            /** @description The fields that changed. */
            changes: {
                /**
                 * @description As it is named in requests.
                 * @example valid
                 */
                field: string;
                /**
                 * @description The value before; null where there was none.
                 * @example true
                 */
                from: {
                    [key: string]: unknown;
                } | unknown[] | string | number | boolean | null;
                /**
                 * @description The value after.
                 * @example false
                 */
                to: {
                    [key: string]: unknown;
                } | unknown[] | string | number | boolean | null;
            }[];
            /**
             * Format: uuid
             * @description Key of the request; null: the service itself.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02
             */
            apiKeyId: string | null;
            /**
             * @description Name of the key by now; null for who may not see it.
             * @example Rig 7
             */
            apiKeyName: string | null;
            /**
             * @description First characters of its token; null for who may not see it.
             * @example srt_Q7wZp2Xk
             */
            keyPrefix: string | null;
            /**
             * Format: uuid
             * @description Licence of the key; null: the service itself.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string | null;
            /**
             * @description Why, as the request said; null: it said nothing.
             * @example All four wheels off at Raidillon
             */
            reason: string | null;
            /**
             * @description `X-Request-Id` of the request.
             * @example desk-2-1017
             */
            requestId: string;
        };
        /** @description The change is stored, and shows a little later at `Location`. */
        Accepted: {
            /**
             * @description Id of the resource; of a mapping both ids, with a colon between them.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            id: string;
            /**
             * @description Tells this answer from the resource.
             * @example accepted
             * @enum {string}
             */
            status: "accepted";
        };
        RecordLap: {
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * Format: uuid
             * @description The rig that it was driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId: string;
            /**
             * Format: uuid
             * @description The event that it counts for.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors: number[];
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime: number;
            /**
             * @description Whether it counts: no cut, no contact.
             * @example true
             */
            valid: boolean;
            /**
             * Format: uuid
             * @description The car; shown as `car`.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId: string;
            /**
             * Format: uuid
             * @description The track layout, whatever the name says.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackId: string;
            /**
             * Format: date-time
             * @description When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt?: string;
            /** @description Which lap of the rig it is, so that a missing one is noticed. */
            sequence?: {
                /**
                 * @description Names one start of the software of the rig.
                 * @example 2026-05-01T17:55:00Z
                 */
                boot: string;
                /**
                 * @description Number of the lap since that start, from 1.
                 * @example 37
                 */
                number: number;
            };
        };
        /** @description What became of the laps of a batch. */
        LapVerdicts: {
            /** @description One for each lap of the batch, in the same order. */
            results: components["schemas"]["LapVerdict"][];
        };
        /** @description What became of a lap of a batch. */
        LapVerdict: {
            /**
             * @description created: recorded now; duplicate: recorded before, under the same key; rejected: never to be recorded like this; retry: nobody knows, send it again.
             * @example created
             * @enum {string}
             */
            verdict: "created" | "duplicate" | "rejected" | "retry";
            /**
             * Format: uuid
             * @description The lap, created now or before.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            id?: string;
            /** @description As the lap alone would get it; pointers are into the item. */
            problem?: {
                /**
                 * Format: uri
                 * @description Names the kind of problem; the same for every occurrence.
                 * @example urn:problem-type:not-found
                 */
                type: string;
                /**
                 * @description What is wrong, the same for every occurrence.
                 * @example Not found
                 */
                title: string;
                /**
                 * @description Status of the answer.
                 * @example 404
                 */
                status: number;
                /**
                 * @description What went wrong this time.
                 * @example There is no resource with this id.
                 */
                detail: string;
                /**
                 * @description Path of the request.
                 * @example /api/v1/laps/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
                 */
                instance: string;
                /** @description What is wrong with the request, most useful first; absent where nothing can be named. */
                errors?: {
                    /**
                     * @description JSON pointer (RFC 6901) into the body as a URI fragment, or #/query/…, #/path/…, #/header/….
                     * @example #/sectors/0
                     */
                    pointer: string;
                    /**
                     * @description What is wrong there.
                     * @example Too small: expected number to be >=0
                     */
                    detail: string;
                }[];
            };
        };
        /** @description Laps to be recorded. */
        RecordLaps: {
            /** @description The laps, in the order of driving. */
            laps: components["schemas"]["BatchLap"][];
        };
        /** @description A lap of a batch. */
        BatchLap: {
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * Format: uuid
             * @description The rig that it was driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId: string;
            /**
             * Format: uuid
             * @description The event that it counts for.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors: number[];
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime: number;
            /**
             * @description Whether it counts: no cut, no contact.
             * @example true
             */
            valid: boolean;
            /**
             * Format: uuid
             * @description The car; shown as `car`.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId: string;
            /**
             * Format: uuid
             * @description The track layout, whatever the name says.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackId: string;
            /**
             * Format: date-time
             * @description When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt?: string;
            /** @description Which lap of the rig it is, so that a missing one is noticed. */
            sequence?: {
                /**
                 * @description Names one start of the software of the rig.
                 * @example 2026-05-01T17:55:00Z
                 */
                boot: string;
                /**
                 * @description Number of the lap since that start, from 1.
                 * @example 37
                 */
                number: number;
            };
            /**
             * @description What `Idempotency-Key` is to a lap alone: under both, the same key is the same lap.
             * @example rig-7/2026-05-01T17:55:00Z/37
             */
            key?: string;
        };
        ChangeLap: {
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId?: string;
            /**
             * Format: uuid
             * @description The rig that it was driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId?: string;
            /**
             * Format: uuid
             * @description The event that it counts for.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId?: string;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors?: number[];
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime?: number;
            /**
             * @description Whether it counts: no cut, no contact.
             * @example true
             */
            valid?: boolean;
            /**
             * Format: uuid
             * @description The car; shown as `car`.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId?: string;
            /**
             * Format: uuid
             * @description The track layout, whatever the name says.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackId?: string;
            /**
             * Format: date-time
             * @description When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt?: string;
            /**
             * @description Why: kept in the history with every event of this change, not in the lap.
             * @example All four wheels off at Raidillon
             */
            reason?: string;
        };
        /** @description Somebody who drives. */
        Participant: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            id: string;
            /**
             * Format: uuid
             * @description Licence that it belongs to, one participant each.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string;
            /**
             * @description Name of what `licenseId` names, as it is now.
             * @example Apex Arena
             */
            licenseDisplayName: string;
            /**
             * @description First name.
             * @example Nora
             */
            firstName: string;
            /**
             * @description Last name.
             * @example Lindqvist
             */
            lastName: string;
            /**
             * @description Address of the form name@domain.tld; empty for who may not see it.
             * @example nora@example.org
             */
            email: string;
            /**
             * @description Telephone number in any form; empty for who may not see it.
             * @example +32 87 29 37 00
             */
            phoneNumber: string;
            /**
             * @description Whatever else the venue asks for, by its own names; kept as sent, empty for who may not see it.
             * @example {
             *       "shirtSize": "M"
             *     }
             */
            extraFieldsJson: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        ParticipantPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Participant"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        /** @description The best lap of a driver on a layout with a car. */
        PersonalBest: {
            /**
             * Format: uuid
             * @description The track layout.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackLayoutId: string;
            /**
             * @description Name of what `trackLayoutId` names, as it is now.
             * @example Spa Grand Prix
             */
            trackDisplayName: string;
            /**
             * Format: uuid
             * @description The car.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId: string;
            /**
             * Format: uuid
             * @description The lap.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            lapId: string;
            /**
             * Format: uuid
             * @description The event that it was driven in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime: number;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors: number[];
            /**
             * Format: date-time
             * @description When it was driven: when it was recorded, unless said.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt: string;
        };
        RegisterParticipant: {
            /**
             * Format: uuid
             * @description Licence that it belongs to, one participant each.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string;
            /**
             * @description First name.
             * @example Nora
             */
            firstName: string;
            /**
             * @description Last name.
             * @example Lindqvist
             */
            lastName: string;
            /**
             * @description Address of the form name@domain.tld; empty for who may not see it.
             * @example nora@example.org
             */
            email: string;
            /**
             * @description Telephone number in any form; empty for who may not see it.
             * @example +32 87 29 37 00
             */
            phoneNumber: string;
            /**
             * @description Whatever else the venue asks for, by its own names; kept as sent, empty for who may not see it. Sent as an object or as the text of one. Default: `{}`.
             * @example {"shirtSize":"M"}
             */
            extraFieldsJson?: string | {
                [key: string]: unknown;
            };
        };
        ChangeParticipant: {
            /**
             * Format: uuid
             * @description Licence that it belongs to, one participant each.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId?: string;
            /**
             * @description First name.
             * @example Nora
             */
            firstName?: string;
            /**
             * @description Last name.
             * @example Lindqvist
             */
            lastName?: string;
            /**
             * @description Address of the form name@domain.tld; empty for who may not see it.
             * @example nora@example.org
             */
            email?: string;
            /**
             * @description Telephone number in any form; empty for who may not see it.
             * @example +32 87 29 37 00
             */
            phoneNumber?: string;
            /**
             * @description Whatever else the venue asks for, by its own names; kept as sent, empty for who may not see it.
             * @example {
             *       "shirtSize": "M"
             *     }
             */
            extraFieldsJson?: {
                [key: string]: unknown;
            };
        };
        /** @description A racing event: when, on what, and with which cars, track layouts and rigs. */
        Event: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            id: string;
            /**
             * @description Name of the event.
             * @example Spa hotlap Friday
             */
            name: string;
            /**
             * @description Short name for addresses.
             * @example spa-hotlap-friday
             */
            slug: string;
            /**
             * @description What it is about.
             * @example The fastest lap of the evening wins.
             */
            description: string;
            /**
             * @description What is driven; null: not said.
             * @example HOTLAP
             * @enum {string|null}
             */
            mode: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /**
             * Format: date-time
             * @description When it begins; null: not said.
             * @example 2026-05-01T18:00:00.000Z
             */
            startsAt: string | null;
            /**
             * Format: date-time
             * @description When it ends, not before `startsAt`; null: open.
             * @example 2026-05-01T22:00:00.000Z
             */
            endsAt: string | null;
            /**
             * Format: uuid
             * @description The simulator that is driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            simulatorId: string;
            /**
             * @description Name of what `simulatorId` names, as it is now.
             * @example Assetto Corsa Competizione
             */
            simulatorDisplayName: string;
            /**
             * @description Cars to choose from.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09"
             *     ]
             */
            carIds: string[];
            /**
             * @description Track layouts to choose from, the usual one first.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06"
             *     ]
             */
            trackLayoutIds: string[];
            /**
             * @description Rigs that are driven on.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03"
             *     ]
             */
            rigIds: string[];
            /**
             * @description Its sponsors.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a"
             *     ]
             */
            brandIds: string[];
            /**
             * @description Its texts in other languages, by locale; kept as sent.
             * @example {
             *       "de": {
             *         "name": "Spa-Abend"
             *       }
             *     }
             */
            i18nJson: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Settings of the venue; kept as sent.
             * @example {
             *       "weather": "dry",
             *       "attempts": 20
             *     }
             */
            settingsJson: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        EventPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Event"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        /** @description A page of a leaderboard. */
        Leaderboard: {
            /** @description The records of the page. */
            content: components["schemas"]["LeaderboardRow"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
            leaderboard: components["schemas"]["LeaderboardHead"];
        };
        /** @description A driver on a leaderboard. */
        LeaderboardRow: {
            /**
             * @description From 1; equal times share it, in the order of driving.
             * @example 1
             */
            position: number;
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * @description Name of what `participantId` names, as it is now.
             * @example Nora Lindqvist
             */
            participantName: string;
            /** @description The best lap; of equal ones that which was driven first. */
            bestLap: {
                /**
                 * Format: uuid
                 * @description The lap.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
                 */
                lapId: string;
                /**
                 * @description Time of the lap in ms; it is not compared with the sum of the sectors.
                 * @example 138491
                 */
                totalTime: number;
                /**
                 * @description Times of the sectors in ms, in order.
                 * @example [
                 *       41873,
                 *       57412,
                 *       39206
                 *     ]
                 */
                sectors: number[];
                /**
                 * Format: uuid
                 * @description The car.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
                 */
                car: string;
                /**
                 * @description Name of what `car` names, as it is now.
                 * @example 911 GT3 R (992)
                 */
                carDisplayName: string;
                /**
                 * Format: uuid
                 * @description The track layout.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
                 */
                trackId: string;
                /**
                 * @description Name of what `trackId` names, as it is now.
                 * @example Spa Grand Prix
                 */
                trackDisplayName: string;
                /**
                 * Format: date-time
                 * @description When it was driven: when it was recorded, unless said.
                 * @example 2026-05-01T19:40:02.000Z
                 */
                drivenAt: string;
                /**
                 * Format: date-time
                 * @description When it was made here: the time of the first event.
                 * @example 2026-05-01T19:42:11.250Z
                 */
                createdAt: string;
            };
            /**
             * @description Time behind the leader in ms; null for the leader.
             * @example null
             */
            gapToLeader: number | null;
            /**
             * @description Time behind the row before in ms; null for the leader.
             * @example null
             */
            gapToNext: number | null;
            /**
             * @description Number of laps that fit the filter, valid or not.
             * @example 12
             */
            laps: number;
            /**
             * @description Number of the valid ones.
             * @example 11
             */
            validLaps: number;
            /**
             * @description Best time of each sector in ms, of laps with as many sectors as the fastest lap of the board; empty without such.
             * @example [
             *       41873,
             *       57388,
             *       39206
             *     ]
             */
            bestSectors: number[];
            /**
             * @description Sum of the best sectors in ms; null when there are none.
             * @example 138467
             */
            theoreticalBest: number | null;
        };
        /** @description What is said of a whole leaderboard. */
        LeaderboardHead: {
            /**
             * Format: uuid
             * @description The event.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Name of what `eventId` names, as it is now.
             * @example Spa hotlap Friday
             */
            eventName: string;
            /**
             * Format: uuid
             * @description The layout of the board; null when the event has none.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackLayoutId: string | null;
            /**
             * @description Name of what `trackLayoutId` names, as it is now.
             * @example Spa Grand Prix
             */
            trackDisplayName: string;
            /** @description The layouts of the event in its order, then others with laps, those with the most first. */
            layouts: {
                /**
                 * Format: uuid
                 * @description The track layout.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
                 */
                trackLayoutId: string;
                /**
                 * @description Name of what `trackLayoutId` names, as it is now.
                 * @example Spa Grand Prix
                 */
                trackDisplayName: string;
                /**
                 * @description Laps on it in this event, valid or not.
                 * @example 214
                 */
                laps: number;
            }[];
            /** @description Who was the fastest in each sector. */
            bestSectors: {
                /**
                 * @description Place of the sector in a lap, from 1.
                 * @example 2
                 */
                sector: number;
                /**
                 * @description Time of the sector in ms.
                 * @example 57388
                 */
                time: number;
                /**
                 * Format: uuid
                 * @description Who drove it.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
                 */
                participantId: string;
                /**
                 * @description Name of what `participantId` names, as it is now.
                 * @example Nora Lindqvist
                 */
                participantName: string;
            }[];
            /**
             * @description Sum of the best sectors in ms; null when there are none.
             * @example 138467
             */
            theoreticalBest: number | null;
            /**
             * Format: date-time
             * @description The moment that was asked for; null: now.
             * @example null
             */
            asOf: string | null;
        };
        /** @description The data of one event; which, its name says. */
        LiveEvent: components["schemas"]["LiveBoard"] | components["schemas"]["LiveLapChange"] | components["schemas"]["LiveRows"] | components["schemas"]["LiveHeads"] | components["schemas"]["LiveHeartbeat"];
        /** @description Event `board`: the whole board, which takes the place of all before. */
        LiveBoard: {
            head: components["schemas"]["LeaderboardHead"];
            /** @description All rows, in order. */
            rows: components["schemas"]["LeaderboardRow"][];
            /**
             * Format: date-time
             * @description When the newest change that it shows happened; null: it shows none.
             * @example 2026-05-01T20:03:17.402Z
             */
            at: string | null;
            /**
             * @description Place in the log up to which it is complete: its `id`.
             * @example 48211
             */
            position: number;
        };
        /** @description Event `lap`: a lap that was recorded or changed, or has left the board. */
        LiveLapChange: {
            lap: components["schemas"]["LiveLap"];
            /**
             * @description Whether it is no longer on this board.
             * @example false
             */
            left: boolean;
            /**
             * @description What happened, as histories name it.
             * @example LapRecorded
             * @enum {string}
             */
            cause: "LapRecorded" | "LapCorrected" | "LapValidated" | "LapInvalidated" | "LapReassigned" | "LapMovedToRig" | "LapMovedToEvent" | "LapCarCorrected" | "LapTrackCorrected" | "LapDrivenAtCorrected";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-05-01T20:03:17.402Z
             */
            at: string;
        };
        /** @description A lap as it is after a change. */
        LiveLap: {
            /**
             * Format: uuid
             * @description The lap.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            lapId: string;
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * @description Name of what `participantId` names, as it is now.
             * @example Nora Lindqvist
             */
            participantName: string;
            /**
             * Format: uuid
             * @description The rig.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId: string;
            /**
             * @description Name of the rig, as it is now; null: it has none.
             * @example Rig 7
             */
            rigName: string | null;
            /**
             * Format: uuid
             * @description The car.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            car: string;
            /**
             * @description Name of what `car` names, as it is now.
             * @example 911 GT3 R (992)
             */
            carDisplayName: string;
            /**
             * Format: uuid
             * @description The track layout.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackId: string;
            /**
             * @description Time of the lap in ms; it is not compared with the sum of the sectors.
             * @example 138491
             */
            totalTime: number;
            /**
             * @description Times of the sectors in ms, in order.
             * @example [
             *       41873,
             *       57412,
             *       39206
             *     ]
             */
            sectors: number[];
            /**
             * @description Whether it counts.
             * @example true
             */
            valid: boolean;
            /**
             * Format: date-time
             * @description When it was driven: when it was recorded, unless said.
             * @example 2026-05-01T19:40:02.000Z
             */
            drivenAt: string;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
        };
        /** @description Event `rows`: to be merged by `participantId`. */
        LiveRows: {
            /** @description The rows that have changed, in order. */
            rows: components["schemas"]["LiveRow"][];
        };
        /** @description What is other than before in a row; all of it in a new one. */
        LiveRow: {
            /**
             * @description Name of what `participantId` names, as it is now.
             * @example Nora Lindqvist
             */
            participantName?: string;
            /** @description The best lap; of equal ones that which was driven first. */
            bestLap?: {
                /**
                 * Format: uuid
                 * @description The lap.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
                 */
                lapId: string;
                /**
                 * @description Time of the lap in ms; it is not compared with the sum of the sectors.
                 * @example 138491
                 */
                totalTime: number;
                /**
                 * @description Times of the sectors in ms, in order.
                 * @example [
                 *       41873,
                 *       57412,
                 *       39206
                 *     ]
                 */
                sectors: number[];
                /**
                 * Format: uuid
                 * @description The car.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
                 */
                car: string;
                /**
                 * @description Name of what `car` names, as it is now.
                 * @example 911 GT3 R (992)
                 */
                carDisplayName: string;
                /**
                 * Format: uuid
                 * @description The track layout.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
                 */
                trackId: string;
                /**
                 * @description Name of what `trackId` names, as it is now.
                 * @example Spa Grand Prix
                 */
                trackDisplayName: string;
                /**
                 * Format: date-time
                 * @description When it was driven: when it was recorded, unless said.
                 * @example 2026-05-01T19:40:02.000Z
                 */
                drivenAt: string;
                /**
                 * Format: date-time
                 * @description When it was made here: the time of the first event.
                 * @example 2026-05-01T19:42:11.250Z
                 */
                createdAt: string;
            };
            /**
             * @description Time behind the leader in ms; null for the leader.
             * @example null
             */
            gapToLeader?: number | null;
            /**
             * @description Time behind the row before in ms; null for the leader.
             * @example null
             */
            gapToNext?: number | null;
            /**
             * @description Number of laps that fit the filter, valid or not.
             * @example 12
             */
            laps?: number;
            /**
             * @description Number of the valid ones.
             * @example 11
             */
            validLaps?: number;
            /**
             * @description Best time of each sector in ms, of laps with as many sectors as the fastest lap of the board; empty without such.
             * @example [
             *       41873,
             *       57388,
             *       39206
             *     ]
             */
            bestSectors?: number[];
            /**
             * @description Sum of the best sectors in ms; null when there are none.
             * @example 138467
             */
            theoreticalBest?: number | null;
            /**
             * Format: uuid
             * @description Who drove.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
             */
            participantId: string;
            /**
             * @description The new one; null: the row is no longer on the board.
             * @example 2
             */
            position?: number | null;
        };
        /** @description Event `heads`: who was the fastest in each sector. */
        LiveHeads: {
            /** @description Who was the fastest in each sector. */
            bestSectors: {
                /**
                 * @description Place of the sector in a lap, from 1.
                 * @example 2
                 */
                sector: number;
                /**
                 * @description Time of the sector in ms.
                 * @example 57388
                 */
                time: number;
                /**
                 * Format: uuid
                 * @description Who drove it.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0d
                 */
                participantId: string;
                /**
                 * @description Name of what `participantId` names, as it is now.
                 * @example Nora Lindqvist
                 */
                participantName: string;
            }[];
            /**
             * @description Sum of the best sectors in ms; null when there are none.
             * @example 138467
             */
            theoreticalBest: number | null;
        };
        /** @description Event `heartbeat`, every 15 seconds. */
        LiveHeartbeat: {
            /**
             * Format: date-time
             * @description The time of the server.
             * @example 2026-05-01T20:03:17.402Z
             */
            now: string;
            /**
             * @description How long, in ms, the log has been ahead of this server; 0: it is not.
             * @example 0
             */
            behindMs: number;
        };
        /** @description Which numbered laps have come in. */
        Completeness: {
            /** @description The rigs, by id. */
            rigs: components["schemas"]["RigCompleteness"][];
        };
        /** @description Which numbered laps of a rig have come in. */
        RigCompleteness: {
            /**
             * Format: uuid
             * @description The rig that recorded the laps.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            rigId: string;
            /** @description By the starts of its software, the first one first. */
            boots: components["schemas"]["BootCompleteness"][];
        };
        /** @description Which numbered laps have come in since one start of a rig. */
        BootCompleteness: {
            /**
             * @description One start of the software of the rig.
             * @example 2026-05-01T17:55:00Z
             */
            boot: string;
            /**
             * @description How many different numbers have come in.
             * @example 37
             */
            received: number;
            /**
             * @description How many should have.
             * @example 40
             */
            expected: number;
            /**
             * @description Those that have not: ranges, first and last number of each, ascending.
             * @example [
             *       [
             *         12,
             *         12
             *       ],
             *       [
             *         39,
             *         40
             *       ]
             *     ]
             */
            missing: number[][];
            /**
             * @description Numbers that came in after a higher one, ascending.
             * @example [
             *       20,
             *       21
             *     ]
             */
            late: number[];
            /**
             * @description Numbers that came in with different laps, ascending: two rigs that take themselves for one.
             * @example []
             */
            conflicts: number[];
        };
        ScheduleRacingEvent: {
            /**
             * @description Name of the event.
             * @example Spa hotlap Friday
             */
            name: string;
            /**
             * @description Short name for addresses.
             * @example spa-hotlap-friday
             */
            slug: string;
            /**
             * @description What it is about.
             * @example The fastest lap of the evening wins.
             */
            description: string;
            /**
             * @description What is driven; null: not said. Default: `null`.
             * @example HOTLAP
             * @enum {string|null}
             */
            mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /**
             * Format: date-time
             * @description When it begins; null: not said. Default: `null`.
             * @example 2026-05-01T18:00:00.000Z
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description When it ends, not before `startsAt`; null: open. Default: `null`.
             * @example 2026-05-01T22:00:00.000Z
             */
            endsAt?: string | null;
            /**
             * Format: uuid
             * @description The simulator that is driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            simulatorId: string;
            /**
             * @description Cars to choose from.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09"
             *     ]
             */
            carIds: string[];
            /**
             * @description Track layouts to choose from, the usual one first.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06"
             *     ]
             */
            trackLayoutIds: string[];
            /**
             * @description Rigs that are driven on.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03"
             *     ]
             */
            rigIds: string[];
            /**
             * @description Its sponsors.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a"
             *     ]
             */
            brandIds: string[];
            /**
             * @description Its texts in other languages, by locale; kept as sent.
             * @example {
             *       "de": {
             *         "name": "Spa-Abend"
             *       }
             *     }
             */
            i18nJson?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Settings of the venue; kept as sent.
             * @example {
             *       "weather": "dry",
             *       "attempts": 20
             *     }
             */
            settingsJson?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `false`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeRacingEvent: {
            /**
             * @description Name of the event.
             * @example Spa hotlap Friday
             */
            name?: string;
            /**
             * @description Short name for addresses.
             * @example spa-hotlap-friday
             */
            slug?: string;
            /**
             * @description What it is about.
             * @example The fastest lap of the evening wins.
             */
            description?: string;
            /**
             * @description What is driven; null: not said.
             * @example HOTLAP
             * @enum {string|null}
             */
            mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /**
             * Format: date-time
             * @description When it begins; null: not said.
             * @example 2026-05-01T18:00:00.000Z
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description When it ends, not before `startsAt`; null: open.
             * @example 2026-05-01T22:00:00.000Z
             */
            endsAt?: string | null;
            /**
             * Format: uuid
             * @description The simulator that is driven on.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            simulatorId?: string;
            /**
             * @description Cars to choose from.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09"
             *     ]
             */
            carIds?: string[];
            /**
             * @description Track layouts to choose from, the usual one first.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06"
             *     ]
             */
            trackLayoutIds?: string[];
            /**
             * @description Rigs that are driven on.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03"
             *     ]
             */
            rigIds?: string[];
            /**
             * @description Its sponsors.
             * @example [
             *       "018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a"
             *     ]
             */
            brandIds?: string[];
            /**
             * @description Its texts in other languages, by locale; kept as sent.
             * @example {
             *       "de": {
             *         "name": "Spa-Abend"
             *       }
             *     }
             */
            i18nJson?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Settings of the venue; kept as sent.
             * @example {
             *       "weather": "dry",
             *       "attempts": 20
             *     }
             */
            settingsJson?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A place to sit and drive, which records laps. */
        Rig: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e03
             */
            id: string;
            /**
             * @description Name of the rig; null until it is given one.
             * @example Rig 7
             */
            name: string | null;
            /**
             * @description What it is, for people.
             * @example By the window, with the motion platform
             */
            description: string | null;
            /**
             * @description What the device is known by: a serial number, say. No other rig has it.
             * @example SR-2024-00417
             */
            hardwareId: string;
            /**
             * Format: uuid
             * @description Licence that it belongs to.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string;
            /**
             * @description Name of what `licenseId` names, as it is now.
             * @example Apex Arena
             */
            licenseDisplayName: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When one of its keys was last used, to the minute; null: not yet.
             * @example 2026-05-01T19:42:11.250Z
             */
            lastSeenAt: string | null;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        RigPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Rig"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        /** @description A new rig and its key. */
        RigRegistered: {
            rig: components["schemas"]["Rig"];
            apiKey: components["schemas"]["ApiKeyCreated"];
        };
        /** @description A new key, with its token. */
        ApiKeyCreated: {
            apiKey: components["schemas"]["ApiKey"];
            /**
             * @description The token: the value of X-API-Key. It is shown only here.
             * @example srt_Q7wZp2Xk_[secret]
             */
            token: string;
        };
        /** @description A key of a licence, without its token. */
        ApiKey: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02
             */
            id: string;
            /**
             * Format: uuid
             * @description Licence that it belongs to.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string;
            /**
             * @description What the key is for.
             * @example Rig 7
             */
            name: string;
            /**
             * @description First characters of the token, to know it by.
             * @example srt_Q7wZp2Xk
             */
            keyPrefix: string;
            /**
             * @description What it may do; each role includes those before it.
             * @example CRUD
             * @enum {string}
             */
            role: "R" | "CR" | "CRUD" | "ADMIN";
            /**
             * @description Always true: a key that was revoked is shown no more.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it is taken no more; null: never.
             * @example null
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null: never.
             * @example 2026-05-01T19:42:11.250Z
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        RegisterRig: {
            /**
             * @description What the device is known by: a serial number, say. No other rig has it.
             * @example SR-2024-00417
             */
            hardwareId: string;
            licenseFile: components["schemas"]["LicenseFile"];
        };
        /** @description A licence file, with which rigs register; send it back as it is. */
        LicenseFile: {
            /**
             * Format: uuid
             * @description The licence that it is of.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string;
            /**
             * @description Key of the licence when the file was made.
             * @example lic_Wm9kQ2x0…
             */
            licenseKey: string;
            /**
             * Format: date-time
             * @description When the file was made.
             * @example 2026-05-01T17:30:00.000Z
             */
            issuedAt: string;
            /**
             * @description Compact JWS (EdDSA) over the other fields; /.well-known/jwks.json has the keys.
             * @example eyJhbGciOiJFZERTQSJ9.e30.c2lnbmVk
             */
            signature: string;
        };
        /** @description Up to which number laps were sent. */
        AnnounceSequence: {
            /**
             * @description Names one start of the software of the rig.
             * @example 2026-05-01T17:55:00Z
             */
            boot: string;
            /**
             * @description Number of the last lap that was sent since that start; 0: none.
             * @example 40
             */
            upTo: number;
        };
        ChangeRig: {
            /**
             * @description Name of the rig; null until it is given one.
             * @example Rig 7
             */
            name?: string;
            /**
             * @description What it is, for people.
             * @example By the window, with the motion platform
             */
            description?: string | null;
            /**
             * @description What the device is known by: a serial number, say. No other rig has it.
             * @example SR-2024-00417
             */
            hardwareId?: string;
            /**
             * Format: uuid
             * @description Licence that it belongs to.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId?: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A field of the form with which people sign up for an event. */
        SignupField: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0c
             */
            id: string;
            /**
             * Format: uuid
             * @description The event whose form it is in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Name of what `eventId` names, as it is now.
             * @example Spa hotlap Friday
             */
            eventName: string;
            /**
             * @description Name for programs, once in an event.
             * @example shirtSize
             */
            fieldKey: string;
            /**
             * @description What people read.
             * @example T-shirt size
             */
            label: string;
            /**
             * @description More of it for people, or null.
             * @example For the shirts of the finalists
             */
            description: string | null;
            /**
             * @description Kind of the field.
             * @example SELECT
             * @enum {string}
             */
            type: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            /**
             * @description Whether it has to be filled in.
             * @example true
             */
            required: boolean;
            /**
             * @description Its place in the form, low ones first; null: anywhere.
             * @example 10
             */
            sortOrder: number | null;
            /**
             * @description What can be chosen, for SELECT; any JSON value, kept as sent.
             * @example [
             *       "S",
             *       "M",
             *       "L"
             *     ]
             */
            optionsJson: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description What is filled in at first; any JSON value, kept as sent.
             * @example M
             */
            defaultJson: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description Label and description in other languages, by locale.
             * @example {
             *       "de": {
             *         "label": "Hemdgröße"
             *       }
             *     }
             */
            i18nJson: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        SignupFieldPage: {
            /** @description The records of the page. */
            content: components["schemas"]["SignupField"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddSignupField: {
            /**
             * Format: uuid
             * @description The event whose form it is in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId: string;
            /**
             * @description Name for programs, once in an event.
             * @example shirtSize
             */
            fieldKey: string;
            /**
             * @description What people read.
             * @example T-shirt size
             */
            label: string;
            /**
             * @description More of it for people, or null. Default: `null`.
             * @example For the shirts of the finalists
             */
            description?: string | null;
            /**
             * @description Kind of the field. Default: `"TEXT"`.
             * @example SELECT
             * @enum {string}
             */
            type?: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            /**
             * @description Whether it has to be filled in. Default: `false`.
             * @example true
             */
            required?: boolean;
            /**
             * @description Its place in the form, low ones first; null: anywhere. Default: `null`.
             * @example 10
             */
            sortOrder?: number | null;
            /**
             * @description What can be chosen, for SELECT; any JSON value, kept as sent.
             * @example [
             *       "S",
             *       "M",
             *       "L"
             *     ]
             */
            optionsJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description What is filled in at first; any JSON value, kept as sent.
             * @example M
             */
            defaultJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description Label and description in other languages, by locale.
             * @example {
             *       "de": {
             *         "label": "Hemdgröße"
             *       }
             *     }
             */
            i18nJson?: {
                [key: string]: unknown;
            } | null;
        };
        ChangeSignupField: {
            /**
             * Format: uuid
             * @description The event whose form it is in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0b
             */
            eventId?: string;
            /**
             * @description Name for programs, once in an event.
             * @example shirtSize
             */
            fieldKey?: string;
            /**
             * @description What people read.
             * @example T-shirt size
             */
            label?: string;
            /**
             * @description More of it for people, or null.
             * @example For the shirts of the finalists
             */
            description?: string | null;
            /**
             * @description Kind of the field.
             * @example SELECT
             * @enum {string}
             */
            type?: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            /**
             * @description Whether it has to be filled in.
             * @example true
             */
            required?: boolean;
            /**
             * @description Its place in the form, low ones first; null: anywhere.
             * @example 10
             */
            sortOrder?: number | null;
            /**
             * @description What can be chosen, for SELECT; any JSON value, kept as sent.
             * @example [
             *       "S",
             *       "M",
             *       "L"
             *     ]
             */
            optionsJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description What is filled in at first; any JSON value, kept as sent.
             * @example M
             */
            defaultJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /**
             * @description Label and description in other languages, by locale.
             * @example {
             *       "de": {
             *         "label": "Hemdgröße"
             *       }
             *     }
             */
            i18nJson?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A program to race in. */
        Simulator: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            id: string;
            /**
             * @description Name of the simulator.
             * @example Assetto Corsa Competizione
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example acc
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example LOGO/acc.svg
             */
            logo: string;
            /**
             * @description CDN key of a wide logo; shown as `logo_wide`.
             * @example LOGO/acc-wide.svg
             */
            logo_wide: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg: boolean;
            /** @description What it calls the track layouts that it has. */
            layouts: components["schemas"]["SimulatorLayout"][];
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description What a simulator calls a track layout. */
        SimulatorLayout: {
            /**
             * Format: uuid
             * @description The simulator.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            simulatorId: string;
            /**
             * @description Name of what `simulatorId` names, as it is now.
             * @example Assetto Corsa Competizione
             */
            simulatorDisplayName: string;
            /**
             * Format: uuid
             * @description The track layout.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackLayoutId: string;
            /**
             * @description Name of what `trackLayoutId` names, as it is now.
             * @example Spa Grand Prix
             */
            trackLayoutDisplayName: string;
            /**
             * @description What the simulator calls it.
             * @example spa
             */
            simulatorIdentifier: string;
        };
        AddSimulator: {
            /**
             * @description Name of the simulator.
             * @example Assetto Corsa Competizione
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example acc
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example LOGO/acc.svg
             */
            logo: string;
            /**
             * @description CDN key of a wide logo; shown as `logo_wide`.
             * @example LOGO/acc-wide.svg
             */
            logoWide: string;
            /**
             * @description Whether the logo is an SVG image. Default: `false`.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeSimulator: {
            /**
             * @description Name of the simulator.
             * @example Assetto Corsa Competizione
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example acc
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example LOGO/acc.svg
             */
            logo: string;
            /**
             * @description CDN key of a wide logo; shown as `logo_wide`.
             * @example LOGO/acc-wide.svg
             */
            logoWide: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        MapTrackLayout: {
            /**
             * Format: uuid
             * @description The track layout.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            trackLayoutId: string;
            /**
             * @description What the simulator calls it.
             * @example spa
             */
            simulatorIdentifier: string;
        };
        ChangeTrackLayoutMapping: {
            /**
             * @description What the simulator calls it.
             * @example spa
             */
            simulatorIdentifier: string;
        };
        /** @description What a simulator calls a car. */
        SimulatorCar: {
            /**
             * Format: uuid
             * @description The simulator.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e04
             */
            simulatorId: string;
            /**
             * @description Name of what `simulatorId` names, as it is now.
             * @example Assetto Corsa Competizione
             */
            simulatorDisplayName: string;
            /**
             * Format: uuid
             * @description The car.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId: string;
            /**
             * @description Name of what `carId` names, as it is now.
             * @example 911 GT3 R (992)
             */
            carDisplayName: string;
            /**
             * Format: uuid
             * @description The maker: a car brand.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07
             */
            carBrandId: string;
            /**
             * @description Name of what `carBrandId` names, as it is now.
             * @example Porsche
             */
            carBrandDisplayName: string;
            /**
             * Format: uuid
             * @description The class that it is driven in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08
             */
            carClassId: string;
            /**
             * @description Name of what `carClassId` names, as it is now.
             * @example Gran Turismo 3
             */
            carClassDisplayName: string;
            /**
             * @description What the simulator calls it.
             * @example porsche_992_gt3_r
             */
            simulatorIdentifier: string;
            /**
             * @description Id of its content in the simulator, kept as sent; null: none.
             * @example porsche_992_gt3_r_dlc
             */
            contentId: string | null;
        };
        MapCar: {
            /**
             * Format: uuid
             * @description The car.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            carId: string;
            /**
             * @description What the simulator calls it.
             * @example porsche_992_gt3_r
             */
            simulatorIdentifier: string;
            /**
             * @description Id of its content in the simulator, kept as sent; null: none. Default: `null`.
             * @example porsche_992_gt3_r_dlc
             */
            contentId?: string | null;
        };
        ChangeCarMapping: {
            /**
             * @description What the simulator calls it.
             * @example porsche_992_gt3_r
             */
            simulatorIdentifier: string;
            /**
             * @description Id of its content in the simulator, kept as sent; null: none.
             * @example porsche_992_gt3_r_dlc
             */
            contentId?: string | null;
        };
        /** @description A place to race at, with one layout or several. */
        Track: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05
             */
            id: string;
            /**
             * @description Name of the track.
             * @example Circuit de Spa-Francorchamps
             */
            displayName: string;
            /**
             * @description Other names that people know it by.
             * @example [
             *       "Spa",
             *       "Ardennes"
             *     ]
             */
            alternativeNames: string[];
            /**
             * @description Short name for addresses; no other track has it.
             * @example spa
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example TRACK/spa/logo.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example BEL
             */
            country: string;
            /**
             * @description Where it lies.
             * @example Stavelot
             */
            location: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        TrackPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Track"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddTrack: {
            /**
             * @description Name of the track.
             * @example Circuit de Spa-Francorchamps
             */
            displayName: string;
            /**
             * @description Other names that people know it by.
             * @example [
             *       "Spa",
             *       "Ardennes"
             *     ]
             */
            alternativeNames: string[];
            /**
             * @description Short name for addresses; no other track has it.
             * @example spa
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example TRACK/spa/logo.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image. Default: `false`.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example BEL
             */
            country: string;
            /**
             * @description Where it lies.
             * @example Stavelot
             */
            location: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeTrack: {
            /**
             * @description Name of the track.
             * @example Circuit de Spa-Francorchamps
             */
            displayName?: string;
            /**
             * @description Other names that people know it by.
             * @example [
             *       "Spa",
             *       "Ardennes"
             *     ]
             */
            alternativeNames?: string[];
            /**
             * @description Short name for addresses; no other track has it.
             * @example spa
             */
            slug?: string;
            /**
             * @description CDN key of the logo.
             * @example TRACK/spa/logo.svg
             */
            logo?: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example BEL
             */
            country?: string;
            /**
             * @description Where it lies.
             * @example Stavelot
             */
            location?: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A layout of a track: the way round that laps are driven on. */
        TrackLayout: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06
             */
            id: string;
            /**
             * @description Name of the layout.
             * @example Spa Grand Prix
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example spa-grand-prix
             */
            slug: string;
            /**
             * @description Kind of the layout.
             * @example PERMANENT_ROAD
             * @enum {string}
             */
            type: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /**
             * Format: uuid
             * @description The track that it is a layout of.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05
             */
            trackId: string;
            /**
             * @description Name of what `trackId` names, as it is now.
             * @example Circuit de Spa-Francorchamps
             */
            trackDisplayName: string;
            /**
             * @description Length in metres, not always whole ones.
             * @example 7004
             */
            length: number;
            /**
             * @description Year when it was first driven.
             * @example 2007
             */
            firstUsage: number;
            /**
             * @description Year when it was last driven; -1: it still is.
             * @example -1
             */
            lastUsage: number;
            /**
             * @description Number of corners.
             * @example 19
             */
            cornerCount: number;
            /**
             * @description Names of the corners in order; `-` for one without.
             * @example [
             *       "La Source",
             *       "Eau Rouge",
             *       "Raidillon",
             *       "-"
             *     ]
             */
            cornerNames: string[];
            /**
             * @description CDN key of the map.
             * @example TRACK/spa/grand-prix.svg
             */
            trackMap: string;
            /**
             * @description CDN keys of pictures.
             * @example [
             *       "TRACK/spa/raidillon.jpg"
             *     ]
             */
            trackImages: string[];
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        TrackLayoutPage: {
            /** @description The records of the page. */
            content: components["schemas"]["TrackLayout"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddTrackLayout: {
            /**
             * @description Name of the layout.
             * @example Spa Grand Prix
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example spa-grand-prix
             */
            slug: string;
            /**
             * @description Kind of the layout.
             * @example PERMANENT_ROAD
             * @enum {string}
             */
            type: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /**
             * Format: uuid
             * @description The track that it is a layout of.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05
             */
            trackId: string;
            /**
             * @description Length in metres, not always whole ones.
             * @example 7004
             */
            length: number;
            /**
             * @description Year when it was first driven.
             * @example 2007
             */
            firstUsage: number;
            /**
             * @description Year when it was last driven; -1: it still is.
             * @example -1
             */
            lastUsage: number;
            /**
             * @description Number of corners.
             * @example 19
             */
            cornerCount: number;
            /**
             * @description Names of the corners in order; `-` for one without.
             * @example [
             *       "La Source",
             *       "Eau Rouge",
             *       "Raidillon",
             *       "-"
             *     ]
             */
            cornerNames: string[];
            /**
             * @description CDN key of the map.
             * @example TRACK/spa/grand-prix.svg
             */
            trackMap: string;
            /**
             * @description CDN keys of pictures.
             * @example [
             *       "TRACK/spa/raidillon.jpg"
             *     ]
             */
            trackImages: string[];
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeTrackLayout: {
            /**
             * @description Name of the layout.
             * @example Spa Grand Prix
             */
            displayName?: string;
            /**
             * @description Short name for addresses.
             * @example spa-grand-prix
             */
            slug?: string;
            /**
             * @description Kind of the layout.
             * @example PERMANENT_ROAD
             * @enum {string}
             */
            type?: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /**
             * Format: uuid
             * @description The track that it is a layout of.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e05
             */
            trackId?: string;
            /**
             * @description Length in metres, not always whole ones.
             * @example 7004
             */
            length?: number;
            /**
             * @description Year when it was first driven.
             * @example 2007
             */
            firstUsage?: number;
            /**
             * @description Year when it was last driven; -1: it still is.
             * @example -1
             */
            lastUsage?: number;
            /**
             * @description Number of corners.
             * @example 19
             */
            cornerCount?: number;
            /**
             * @description Names of the corners in order; `-` for one without.
             * @example [
             *       "La Source",
             *       "Eau Rouge",
             *       "Raidillon",
             *       "-"
             *     ]
             */
            cornerNames?: string[];
            /**
             * @description CDN key of the map.
             * @example TRACK/spa/grand-prix.svg
             */
            trackMap?: string;
            /**
             * @description CDN keys of pictures.
             * @example [
             *       "TRACK/spa/raidillon.jpg"
             *     ]
             */
            trackImages?: string[];
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A model of car. */
        Car: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e09
             */
            id: string;
            /**
             * Format: uuid
             * @description The maker: a car brand.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07
             */
            brandId: string;
            /**
             * @description Name of what `brandId` names, as it is now.
             * @example Porsche
             */
            brandDisplayName: string;
            /**
             * @description Name of the model.
             * @example 911 GT3 R (992)
             */
            modelName: string;
            /**
             * Format: uuid
             * @description The class that it is driven in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08
             */
            carClassId: string;
            /**
             * @description Name of what `carClassId` names, as it is now.
             * @example Gran Turismo 3
             */
            carClassDisplayName: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        CarPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Car"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddCar: {
            /**
             * Format: uuid
             * @description The maker: a car brand.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07
             */
            brandId: string;
            /**
             * @description Name of the model.
             * @example 911 GT3 R (992)
             */
            modelName: string;
            /**
             * Format: uuid
             * @description The class that it is driven in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08
             */
            carClassId: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeCar: {
            /**
             * Format: uuid
             * @description The maker: a car brand.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07
             */
            brandId?: string;
            /**
             * @description Name of the model.
             * @example 911 GT3 R (992)
             */
            modelName?: string;
            /**
             * Format: uuid
             * @description The class that it is driven in.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08
             */
            carClassId?: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A maker of cars. */
        CarBrand: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e07
             */
            id: string;
            /**
             * @description Name of the maker.
             * @example Porsche
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example porsche
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example BRAND/porsche.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example DEU
             */
            country: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        CarBrandPage: {
            /** @description The records of the page. */
            content: components["schemas"]["CarBrand"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddCarBrand: {
            /**
             * @description Name of the maker.
             * @example Porsche
             */
            displayName: string;
            /**
             * @description Short name for addresses.
             * @example porsche
             */
            slug: string;
            /**
             * @description CDN key of the logo.
             * @example BRAND/porsche.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image. Default: `false`.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example DEU
             */
            country: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeCarBrand: {
            /**
             * @description Name of the maker.
             * @example Porsche
             */
            displayName?: string;
            /**
             * @description Short name for addresses.
             * @example porsche
             */
            slug?: string;
            /**
             * @description CDN key of the logo.
             * @example BRAND/porsche.svg
             */
            logo?: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Its country by ISO 3166-1 alpha-3.
             * @example DEU
             */
            country?: string;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A class of cars that race against each other. */
        CarClass: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e08
             */
            id: string;
            /**
             * @description Name of the class.
             * @example Gran Turismo 3
             */
            displayName: string;
            /**
             * @description Short name, for boards.
             * @example GT3
             */
            shortName: string;
            /**
             * @description CDN key of the logo.
             * @example CLASS/gt3.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg: boolean;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        CarClassPage: {
            /** @description The records of the page. */
            content: components["schemas"]["CarClass"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddCarClass: {
            /**
             * @description Name of the class.
             * @example Gran Turismo 3
             */
            displayName: string;
            /**
             * @description Short name, for boards.
             * @example GT3
             */
            shortName: string;
            /**
             * @description CDN key of the logo.
             * @example CLASS/gt3.svg
             */
            logo: string;
            /**
             * @description Whether the logo is an SVG image. Default: `false`.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Whether lists have it; disabled, it is found by its id. Default: `true`.
             * @example true
             */
            enabled?: boolean;
        };
        ChangeCarClass: {
            /**
             * @description Name of the class.
             * @example Gran Turismo 3
             */
            displayName?: string;
            /**
             * @description Short name, for boards.
             * @example GT3
             */
            shortName?: string;
            /**
             * @description CDN key of the logo.
             * @example CLASS/gt3.svg
             */
            logo?: string;
            /**
             * @description Whether the logo is an SVG image.
             * @example true
             */
            svg?: boolean;
            /**
             * @description Whether lists have it; disabled, it is found by its id.
             * @example true
             */
            enabled?: boolean;
        };
        /** @description A sponsor or partner of events. */
        Brand: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0a
             */
            id: string;
            /**
             * @description Name of the sponsor.
             * @example Brakes & Sons
             */
            name: string;
            /**
             * @description Address of its website.
             * @example https://brakes.example
             */
            websiteUrl: string;
            /**
             * @description CDN key of the logo, or an external URL when `logoUrl` is true.
             * @example BRAND/brakes.png
             */
            logo: string;
            /**
             * @description Size at which the logo is shown, in percent.
             * @example 100
             */
            logoScalePercent: number;
            /**
             * @description Whether `logo` is an external URL.
             * @example false
             */
            logoUrl: boolean;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A page of a list. */
        BrandPage: {
            /** @description The records of the page. */
            content: components["schemas"]["Brand"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        AddBrand: {
            /**
             * @description Name of the sponsor.
             * @example Brakes & Sons
             */
            name: string;
            /**
             * @description Address of its website.
             * @example https://brakes.example
             */
            websiteUrl: string;
            /**
             * @description CDN key of the logo, or an external URL when `logoUrl` is true.
             * @example BRAND/brakes.png
             */
            logo: string;
            /**
             * @description Whether `logo` is an external URL. Default: `false`.
             * @example false
             */
            logoUrl?: boolean;
            /**
             * @description Size at which the logo is shown, in percent. Default: `100`.
             * @example 100
             */
            logoScalePercentage?: number;
        };
        ChangeBrand: {
            /**
             * @description Name of the sponsor.
             * @example Brakes & Sons
             */
            name?: string;
            /**
             * @description Address of its website.
             * @example https://brakes.example
             */
            websiteUrl?: string;
            /**
             * @description CDN key of the logo, or an external URL when `logoUrl` is true.
             * @example BRAND/brakes.png
             */
            logo?: string;
            /**
             * @description Whether `logo` is an external URL.
             * @example false
             */
            logoUrl?: boolean;
            /**
             * @description Size at which the logo is shown, in percent.
             * @example 100
             */
            logoScalePercentage?: number;
        };
        IssueApiKey: {
            /**
             * @description What the key is for.
             * @example Rig 7
             */
            name: string;
            /**
             * @description What it may do; each role includes those before it.
             * @example CRUD
             * @enum {string}
             */
            role: "R" | "CR" | "CRUD" | "ADMIN";
            /**
             * Format: date-time
             * @description When it is taken no more; null: never. Default: `null`.
             * @example null
             */
            expiresAt?: string | null;
        };
        ChangeApiKey: {
            /**
             * @description What the key is for.
             * @example Rig 7
             */
            name?: string;
            /**
             * @description What it may do; each role includes those before it.
             * @example CRUD
             * @enum {string}
             */
            role?: "R" | "CR" | "CRUD" | "ADMIN";
            /**
             * Format: date-time
             * @description When it is taken no more; null: never.
             * @example null
             */
            expiresAt?: string | null;
        };
        RotateApiKey: {
            /**
             * @description Seconds for which the old token stays valid. Default: `0`.
             * @example 300
             */
            graceSeconds?: number;
        };
        /** @description An organisation that uses the service; its keys belong to its licence. */
        License: {
            /**
             * Format: uuid
             * @description Id of the resource, given by the service.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            id: string;
            /**
             * @description Name for those who run the service.
             * @example apex-arena
             */
            name: string;
            /**
             * @description Name for people.
             * @example Apex Arena
             */
            displayName: string;
            /**
             * @description Key of the organisation, which is in its licence files.
             * @example lic_Wm9kQ2x0…
             */
            licenseKey: string;
            /**
             * @description Whether its keys are taken.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When its keys are taken no more; null: never.
             * @example null
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When one of its keys was last used; null: never.
             * @example 2026-05-01T19:42:11.250Z
             */
            lastLoginAt: string | null;
            /**
             * Format: date-time
             * @description When it was made here: the time of the first event.
             * @example 2026-05-01T19:42:11.250Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed; at first the same as `createdAt`.
             * @example 2026-05-01T19:42:11.250Z
             */
            updatedAt: string;
        };
        /** @description A new licence and its first key. */
        LicenseCreated: {
            license: components["schemas"]["License"];
            apiKey: components["schemas"]["ApiKeyCreated"];
        };
        IssueLicense: {
            /**
             * @description Name for those who run the service.
             * @example apex-arena
             */
            name: string;
            /**
             * @description Name for people.
             * @example Apex Arena
             */
            displayName: string;
        };
        ChangeLicense: {
            /**
             * @description Name for people.
             * @example Apex Arena
             */
            displayName?: string;
            /**
             * @description Whether its keys are taken.
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When its keys are taken no more; null: never.
             * @example null
             */
            expiresAt?: string | null;
        };
        /** @description Where an uploaded file goes. */
        CdnRequest: {
            /**
             * @description Folder of the file: what it shows.
             * @example TRACK
             * @enum {string}
             */
            type: "BRAND" | "CLASS" | "COUNTRY" | "LOGO" | "TRACK";
            /**
             * @description Name below the folder of its type, folders included.
             * @example spa/logo.svg
             */
            targetName: string;
        };
        /** @description Health of the service and of its parts. */
        Health: {
            /**
             * @description UP: in order.
             * @example UP
             * @enum {string}
             */
            status: "UP" | "DOWN";
            /**
             * @description The parts by name.
             * @example {
             *       "eventStore": {
             *         "status": "UP"
             *       },
             *       "readStore": {
             *         "status": "UP"
             *       }
             *     }
             */
            components: {
                [key: string]: {
                    /**
                     * @description UP: in order.
                     * @example UP
                     * @enum {string}
                     */
                    status: "UP" | "DOWN";
                } & {
                    [key: string]: string | number | boolean | null;
                };
            };
        };
        /** @description That the process answers. */
        Liveness: {
            /**
             * @description UP: in order.
             * @example UP
             * @enum {string}
             */
            status: "UP" | "DOWN";
        };
        /** @description A set of public keys. */
        JwkSet: {
            /**
             * @description The keys.
             * @example [
             *       {
             *         "kty": "OKP",
             *         "crv": "Ed25519",
             *         "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
             *         "kid": "2026-05"
             *       }
             *     ]
             */
            keys: {
                [key: string]: string;
            }[];
        };
        /** @description What an operator wants to know first. */
        OperationsStatus: {
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
            /**
             * @description Version of the read models that this release makes.
             * @example 15
             */
            readModelVersion: number;
            /** @description Health of this node, as `/actuator/health` shows it. */
            health: {
                /**
                 * @description UP: in order.
                 * @example UP
                 * @enum {string}
                 */
                status: "UP" | "DOWN";
                /**
                 * @description The parts by name.
                 * @example {
                 *       "eventStore": {
                 *         "status": "UP"
                 *       },
                 *       "readStore": {
                 *         "status": "UP"
                 *       }
                 *     }
                 */
                components: {
                    [key: string]: {
                        /**
                         * @description UP: in order.
                         * @example UP
                         * @enum {string}
                         */
                        status: "UP" | "DOWN";
                    } & {
                        [key: string]: string | number | boolean | null;
                    };
                };
            };
            projection: components["schemas"]["ProjectionStatus"];
            /** @description Null while the read store does not answer. */
            lease: {
                /**
                 * @description The process that projects; null: none does at present.
                 * @example process 4711 on timing-1 (since 2026-05-01T17:55:00.000Z)
                 */
                holder: string | null;
                /**
                 * @description Whether that is the node that answers.
                 * @example true
                 */
                isHere: boolean;
                /**
                 * @description How often the lease was granted.
                 * @example 3
                 */
                fence: number;
                /**
                 * @description How long it is held without being renewed: a holder that was killed is replaced after this time at most.
                 * @example 10000
                 */
                termMs: number;
            } | null;
            /** @description Null while the read store does not answer. */
            generation: {
                /**
                 * @description Name of the read models that are served.
                 * @example built-in
                 */
                current: string;
                /**
                 * @description Version of the release that has made them; 0: not known.
                 * @example 15
                 */
                version: number;
                /**
                 * @description Name of those that a rebuild makes; null: none does.
                 * @example null
                 */
                next: string | null;
                /**
                 * @description Name of those of before, until no node reads them; null: none.
                 * @example null
                 */
                retiring: string | null;
            } | null;
            /**
             * @description Events that are parked; null: not known.
             * @example 0
             */
            deadLetters: number | null;
            /** @description Null while a store does not answer. */
            rebuild: {
                /**
                 * @description `requested`: no projector has begun yet. `projecting`: the events are projected anew, and the read models of before are served. `switching`: the new ones are about to be served. `none`: there was no rebuild yet.
                 * @example projecting
                 * @enum {string}
                 */
                phase: "none" | "requested" | "projecting" | "switching" | "done" | "failed";
                /**
                 * @description Id of the request; null for one by command or after an upgrade.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e20
                 */
                id: string | null;
                /**
                 * @description Name of the read models that it makes; null: not begun.
                 * @example built-in-2
                 */
                generation: string | null;
                /**
                 * Format: date-time
                 * @description When it was asked for.
                 * @example 2026-05-01T21:10:05.118Z
                 */
                requestedAt: string | null;
                /**
                 * Format: uuid
                 * @description Key of the request for it.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02
                 */
                apiKeyId: string | null;
                /**
                 * @description Name of that key by now.
                 * @example Rig 7
                 */
                apiKeyName: string | null;
                /**
                 * Format: uuid
                 * @description Licence of that key.
                 * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
                 */
                licenseId: string | null;
                /**
                 * Format: date-time
                 * @description When a projector began; null: not yet.
                 * @example 2026-05-01T21:10:05.402Z
                 */
                startedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was done or given up; null: it is not.
                 * @example null
                 */
                finishedAt: string | null;
                /**
                 * @description Why it was given up; null: it was not.
                 * @example null
                 */
                error: string | null;
                /**
                 * @description The process that is at it; null: none is at present.
                 * @example process 4711 on timing-1 (since 2026-05-01T17:55:00.000Z)
                 */
                process: string | null;
                /** @description How far it is; null: that is not known (yet). */
                progress: {
                    /**
                     * @description Events that were projected since it began, or since it went on after a crash.
                     * @example 61200
                     */
                    events: number;
                    /**
                     * @description Position of the last of them.
                     * @example 61204
                     */
                    position: number;
                    /**
                     * @description Position of the newest event.
                     * @example 102007
                     */
                    head: number;
                    /**
                     * @description How far `position` is on the way to `head`.
                     * @example 59
                     */
                    percent: number;
                    /**
                     * @description How fast it has gone so far.
                     * @example 8740
                     */
                    eventsPerSecond: number;
                    /**
                     * @description How long it takes from `at` on if it goes on like this; null while that cannot be told.
                     * @example 4700
                     */
                    etaMs: number | null;
                    /**
                     * Format: date-time
                     * @description When this was so.
                     * @example 2026-05-01T21:10:12.402Z
                     */
                    at: string;
                } | null;
            } | null;
        };
        /** @description How far the read models are behind the events. */
        ProjectionStatus: {
            /**
             * @description State of the projector of this node: `running`, `retrying` while a store is away, `stopped`, `standby` while another process projects, `elsewhere` where this node has no projector; null: not known.
             * @example running
             */
            state: string | null;
            /**
             * @description Position up to which every event shows; null: none does yet.
             * @example 48211
             */
            checkpoint: number | null;
            /**
             * @description Position of the newest event; null: there is none, or it is not known.
             * @example 48213
             */
            head: number | null;
            /**
             * @description Positions between the two; null while a store does not answer.
             * @example 2
             */
            lag: number | null;
            /**
             * @description Age of the oldest event that does not show yet; 0: all show; null while a store does not answer.
             * @example 41
             */
            lagMs: number | null;
            /**
             * @description How long nothing has moved although events wait; null while a store does not answer.
             * @example 0
             */
            stalledMs: number | null;
        };
        /** @description A page of a list. */
        DeadLetterPage: {
            /** @description The records of the page. */
            content: components["schemas"]["DeadLetter"][];
            /**
             * @description Index of the page, from 0.
             * @example 0
             */
            page: number;
            /**
             * @description The same as `page`.
             * @example 0
             */
            number: number;
            /**
             * @description Records per page, as asked for.
             * @example 20
             */
            size: number;
            /**
             * @description Records of all pages.
             * @example 312
             */
            totalElements: number;
            /**
             * @description Number of pages.
             * @example 16
             */
            totalPages: number;
            /**
             * @description Whether it is the first page.
             * @example true
             */
            first: boolean;
            /**
             * @description Whether no page comes after it.
             * @example false
             */
            last: boolean;
            /**
             * @description Whether it has no records.
             * @example false
             */
            empty: boolean;
        };
        /** @description An event that could not be projected, and waits until it is retried. */
        DeadLetter: {
            /**
             * @description Id of the dead letter: the stream of the event, a colon, and its revision.
             * @example lap-018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e:0
             */
            id: string;
            /**
             * @description Stream of the event.
             * @example lap-018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e
             */
            stream: string;
            /**
             * @description Place of the event in its stream, from 0.
             * @example 0
             */
            revision: number;
            /**
             * @description Place of the event among all events of the service.
             * @example 48211
             */
            position: number;
            /**
             * @description What happened.
             * @example LapRecorded
             */
            type: string;
            /**
             * @description Version of the form of its data.
             * @example 1
             */
            version: number;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-05-01T20:03:17.402Z
             */
            occurredAt: string;
            /**
             * @description Read model that it could not be projected into; null: an earlier event of its stream is parked, or not known.
             * @example laps
             */
            projection: string | null;
            /**
             * @description Why it could not be projected.
             * @example cannot project such a time
             */
            error: string;
            /**
             * @description Whether this release does not know the type or version of the event.
             * @example false
             */
            unknown: boolean;
            /**
             * @description How often it was retried, in vain.
             * @example 1
             */
            retries: number;
            /**
             * Format: date-time
             * @description When it was last retried; null: not yet.
             * @example 2026-05-01T21:10:05.118Z
             */
            retriedAt: string | null;
            /**
             * @description What the event says; `***` stands for secrets and for who somebody is. All is masked where the type is not known.
             * @example {
             *       "totalTime": 138491,
             *       "valid": true
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description Key of the request that made the event; null: the service itself.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02
             */
            apiKeyId: string | null;
            /**
             * Format: uuid
             * @description Licence of that key; null: the service itself.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string | null;
            /**
             * @description `X-Request-Id` of that request.
             * @example desk-2-1017
             */
            requestId: string;
        };
        /** @description What has come of a retry. */
        DeadLetterRetry: {
            /**
             * @description Id of the dead letter: the stream of the event, a colon, and its revision.
             * @example lap-018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e0e:0
             */
            id: string;
            /**
             * @description `projected`: it shows by now. `parked`: it could not be projected this time either.
             * @example projected
             * @enum {string}
             */
            outcome: "projected" | "parked";
            /**
             * @description Why it is still parked; null: it is not.
             * @example null
             */
            error: string | null;
        };
        /** @description A rebuild of the read models. */
        Rebuild: {
            /**
             * @description `requested`: no projector has begun yet. `projecting`: the events are projected anew, and the read models of before are served. `switching`: the new ones are about to be served. `none`: there was no rebuild yet.
             * @example projecting
             * @enum {string}
             */
            phase: "none" | "requested" | "projecting" | "switching" | "done" | "failed";
            /**
             * @description Id of the request; null for one by command or after an upgrade.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e20
             */
            id: string | null;
            /**
             * @description Name of the read models that it makes; null: not begun.
             * @example built-in-2
             */
            generation: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-05-01T21:10:05.118Z
             */
            requestedAt: string | null;
            /**
             * Format: uuid
             * @description Key of the request for it.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e02
             */
            apiKeyId: string | null;
            /**
             * @description Name of that key by now.
             * @example Rig 7
             */
            apiKeyName: string | null;
            /**
             * Format: uuid
             * @description Licence of that key.
             * @example 018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e01
             */
            licenseId: string | null;
            /**
             * Format: date-time
             * @description When a projector began; null: not yet.
             * @example 2026-05-01T21:10:05.402Z
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it was done or given up; null: it is not.
             * @example null
             */
            finishedAt: string | null;
            /**
             * @description Why it was given up; null: it was not.
             * @example null
             */
            error: string | null;
            /**
             * @description The process that is at it; null: none is at present.
             * @example process 4711 on timing-1 (since 2026-05-01T17:55:00.000Z)
             */
            process: string | null;
            /** @description How far it is; null: that is not known (yet). */
            progress: {
                /**
                 * @description Events that were projected since it began, or since it went on after a crash.
                 * @example 61200
                 */
                events: number;
                /**
                 * @description Position of the last of them.
                 * @example 61204
                 */
                position: number;
                /**
                 * @description Position of the newest event.
                 * @example 102007
                 */
                head: number;
                /**
                 * @description How far `position` is on the way to `head`.
                 * @example 59
                 */
                percent: number;
                /**
                 * @description How fast it has gone so far.
                 * @example 8740
                 */
                eventsPerSecond: number;
                /**
                 * @description How long it takes from `at` on if it goes on like this; null while that cannot be told.
                 * @example 4700
                 */
                etaMs: number | null;
                /**
                 * Format: date-time
                 * @description When this was so.
                 * @example 2026-05-01T21:10:12.402Z
                 */
                at: string;
            } | null;
        };
    };
    responses: {
        /** @description The request is not valid */
        Problem400: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests */
        Problem429: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal error */
        Problem500: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Temporarily unavailable */
        Problem503: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found */
        Problem404: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A valid API key is needed */
        Problem401: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not allowed; Owned by another licence; Not for the key of a rig */
        Problem403: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request took too long to arrive */
        Problem408: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large */
        Problem413: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported media type */
        Problem415: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Something referred to does not exist; The idempotency key was used with another body */
        Problem422: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource has changed */
        Problem412: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The last ADMIN key; Revoked; Already taken */
        Problem409: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Range not satisfiable */
        Problem416: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Answer 304 when the ETag is still one of these. */
        "If-None-Match": string;
        /** @description Makes a retry safe: the same key and body create one resource only. */
        "Idempotency-Key": string;
        /** @description `respond-async`: answer 202 as soon as the change is stored. */
        Prefer: string;
        /** @description Change only this revision: an ETag, or *. */
        "If-Match": string;
        /** @description Go on after the event with this id, as browsers do by themselves; wins over `after`. */
        "Last-Event-ID": string;
        /** @description Answer 206 with this part, such as `bytes=0-99`; with `If-Range`, only of content with that ETag. */
        Range: string;
    };
    requestBodies: never;
    headers: {
        /** @description Version of this interface. */
        "API-Version": "1.0";
        /** @description Names the request in log and events; the client's, or a new one. */
        "X-Request-Id": string;
        /** @description The quotas that hold for the request, of its address and of its key, each with units (q) per window of seconds (w); none where no limit applies. */
        "RateLimit-Policy": string;
        /** @description What is left of them (r), and in how many seconds (t) all of it is there again. */
        RateLimit: string;
        /** @description Names the content, for If-None-Match; of one resource: its revision, for If-Match, and a hash of the body. */
        ETag: string;
        /** @description Seconds after which to try again. */
        "Retry-After": number;
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
        /** @description Where to get it. */
        Location: string;
        /** @description The resource was made by an earlier request with this key. */
        "Idempotency-Replayed": "true";
        /** @description Parts can be asked for. */
        "Accept-Ranges": "bytes";
        /** @description Which part it is, and the size of the whole. */
        "Content-Range": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listLaps: {
        parameters: {
            query?: {
                /** @description Only with this `eventId`. */
                eventId?: string;
                /** @description Only with this `participantId`. */
                participantId?: string;
                /** @description Only with this `rigId`. */
                rigId?: string;
                /** @description Only with this `car`. */
                carId?: string;
                /** @description Only with this `trackId`. */
                trackId?: string;
                /** @description Only with this `valid`. */
                valid?: boolean;
                /** @description Only with a `createdAt` at this moment or later. */
                from?: string;
                /** @description Only with a `createdAt` before this moment. */
                to?: string;
                /** @description Only with a `drivenAt` at this moment or later. */
                drivenFrom?: string;
                /** @description Only with a `drivenAt` before this moment. */
                drivenTo?: string;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lap"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createLap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordLap"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lap"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageLaps: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `eventId`. */
                eventId?: string;
                /** @description Only with this `participantId`. */
                participantId?: string;
                /** @description Only with this `rigId`. */
                rigId?: string;
                /** @description Only with this `car`. */
                carId?: string;
                /** @description Only with this `trackId`. */
                trackId?: string;
                /** @description Only with this `valid`. */
                valid?: boolean;
                /** @description Only with a `createdAt` at this moment or later. */
                from?: string;
                /** @description Only with a `createdAt` before this moment. */
                to?: string;
                /** @description Only with a `drivenAt` at this moment or later. */
                drivenFrom?: string;
                /** @description Only with a `drivenAt` before this moment. */
                drivenTo?: string;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LapPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getLap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the lap. */
                lapId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lap"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateLap: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the lap. */
                lapId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeLap"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lap"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getLapHistory: {
        parameters: {
            query?: {
                /** @description Revision of the first change to be told; the one after the last that is known, to go on. */
                from?: number;
                /** @description Changes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the lap. */
                lapId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Change"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createLaps: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordLaps"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LapVerdicts"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                /** @description Only with this `licenseId`. */
                licenseId?: string;
                /** @description Only with this `email`. */
                email?: string;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createParticipant: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterParticipant"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageParticipants: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `licenseId`. */
                licenseId?: string;
                /** @description Only with this `email`. */
                email?: string;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipantPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getParticipant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the participant. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateParticipant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the participant. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeParticipant"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Participant"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getParticipantHistory: {
        parameters: {
            query?: {
                /** @description Revision of the first change to be told; the one after the last that is known, to go on. */
                from?: number;
                /** @description Changes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the participant. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Change"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPersonalBests: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the driver. */
                participantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalBest"][];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only with this `simulatorId`. */
                simulatorId?: string;
                /** @description Only with this among the `rigIds`. */
                rigId?: string;
                /** @description Only with this `mode`. */
                mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE";
                /** @description Only what has begun at this moment, and not ended. */
                at?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleRacingEvent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageEvents: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `simulatorId`. */
                simulatorId?: string;
                /** @description Only with this among the `rigIds`. */
                rigId?: string;
                /** @description Only with this `mode`. */
                mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE";
                /** @description Only what has begun at this moment, and not ended. */
                at?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRacingEvent"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getEventHistory: {
        parameters: {
            query?: {
                /** @description Revision of the first change to be told; the one after the last that is known, to go on. */
                from?: number;
                /** @description Changes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Change"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description The layout of the board; left out: the first of the event. */
                trackLayoutId?: string;
                /** @description Laps with this car only. */
                carId?: string;
                /** @description Laps with cars that are of this class now. */
                carClassId?: string;
                /** @description Whether only valid laps count for the best. */
                validOnly?: boolean;
                /** @description The board as it was at this moment; one to come gives that of now. Names and car classes are those of now. */
                asOf?: string;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    watchEvent: {
        parameters: {
            query?: {
                /** @description The layout of the board; left out: the first of the event. */
                trackLayoutId?: string;
                /** @description Laps with this car only. */
                carId?: string;
                /** @description Laps with cars that are of this class now. */
                carClassId?: string;
                /** @description Whether only valid laps count for the best. */
                validOnly?: boolean;
                /** @description Go on after the event with this id, instead of with the whole board. `Last-Event-ID` wins. */
                after?: number;
                /** @description Everything is shown so much later, the first board too. */
                delaySeconds?: number;
                /** @description Show once more what has happened since this moment; then it goes on live. */
                from?: string;
                /** @description How many times as fast as it was; with `from` only. Left out: 1. */
                speed?: number;
            };
            header?: {
                /** @description Go on after the event with this id, as browsers do by themselves; wins over `after`. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LiveEvent"];
                };
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getEventCompleteness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completeness"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getResults: {
        parameters: {
            query?: {
                /** @description The layout of the board; left out: the first of the event. */
                trackLayoutId?: string;
                /** @description Laps with this car only. */
                carId?: string;
                /** @description Laps with cars that are of this class now. */
                carClassId?: string;
                /** @description Whether only valid laps count for the best. */
                validOnly?: boolean;
                /** @description The board as it was at this moment; one to come gives that of now. Names and car classes are those of now. */
                asOf?: string;
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRigs: {
        parameters: {
            query?: {
                /** @description Only with this `licenseId`. */
                licenseId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rig"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    registerRig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRig"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RigRegistered"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageRigs: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `licenseId`. */
                licenseId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RigPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRigByHardwareId: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description What the device is known by. */
                hardwareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rig"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rig"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateRig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRig"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rig"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRigHistory: {
        parameters: {
            query?: {
                /** @description Revision of the first change to be told; the one after the last that is known, to go on. */
                from?: number;
                /** @description Changes at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Change"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    issueRigKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRigCompleteness: {
        parameters: {
            query?: {
                /** @description Only since this start of its software. */
                boot?: string;
            };
            header?: never;
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completeness"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    announceSequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the rig. */
                rigId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnounceSequence"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnounceSequence"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSignupFields: {
        parameters: {
            query?: {
                /** @description Only with this `eventId`. */
                eventId?: string;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupField"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSignupField: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSignupField"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupField"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageSignupFields: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `eventId`. */
                eventId?: string;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupFieldPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSignupField: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the signup field. */
                signupFieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupField"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSignupField: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the signup field. */
                signupFieldId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSignupField"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupField"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSimulators: {
        parameters: {
            query?: {
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulator"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSimulator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSimulator"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulator"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSimulator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulator"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSimulator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSimulator"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulator"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSimulatorLayouts: {
        parameters: {
            query?: {
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorLayout"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSimulatorLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MapTrackLayout"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorLayout"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSimulatorLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the track layout. */
                trackLayoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorLayout"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSimulatorLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the track layout. */
                trackLayoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSimulatorLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the track layout. */
                trackLayoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTrackLayoutMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorLayout"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSimulatorCars: {
        parameters: {
            query?: {
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorCar"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSimulatorCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MapCar"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorCar"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSimulatorCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the car. */
                carId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorCar"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSimulatorCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the car. */
                carId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSimulatorCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the simulator. */
                simulatorId: string;
                /** @description Id of the car. */
                carId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCarMapping"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatorCar"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTracks: {
        parameters: {
            query?: {
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Track"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createTrack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddTrack"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Track"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageTracks: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getTrack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the track. */
                trackId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Track"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateTrack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the track. */
                trackId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTrack"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Track"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTrackLayouts: {
        parameters: {
            query?: {
                /** @description Only with this `trackId`. */
                trackId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLayout"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createTrackLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddTrackLayout"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLayout"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageTrackLayouts: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `trackId`. */
                trackId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLayoutPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getTrackLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the track layout. */
                trackLayoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLayout"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateTrackLayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the track layout. */
                trackLayoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTrackLayout"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLayout"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCars: {
        parameters: {
            query?: {
                /** @description Only with this `brandId`. */
                brandId?: string;
                /** @description Only with this `carClassId`. */
                carClassId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Car"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddCar"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Car"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageCars: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Only with this `brandId`. */
                brandId?: string;
                /** @description Only with this `carClassId`. */
                carClassId?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the car. */
                carId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Car"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateCar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the car. */
                carId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCar"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Car"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCarBrands: {
        parameters: {
            query?: {
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarBrand"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createCarBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddCarBrand"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarBrand"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageCarBrands: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarBrandPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCarBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the car brand. */
                carBrandId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarBrand"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateCarBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the car brand. */
                carBrandId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCarBrand"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarBrand"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCarClasses: {
        parameters: {
            query?: {
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarClass"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createCarClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddCarClass"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarClass"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageCarClasses: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
                /** @description Disabled records too; needs a key of role CRUD or higher. */
                includeDisabled?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarClassPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCarClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the car class. */
                carClassId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarClass"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateCarClass: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the car class. */
                carClassId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCarClass"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarClass"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBrands: {
        parameters: {
            query?: {
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"][];
                    "text/csv": string;
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddBrand"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageBrands: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
            };
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandPage"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the brand. */
                brandId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateBrand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the brand. */
                brandId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBrand"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCurrentApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the api key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the api key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeApiKey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the api key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiKey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /** @description In which form; left out: as Accept says, JSON where it does not care. */
                format?: "json" | "csv";
                /** @description CSV begins with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key and body create one resource only. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueLicense"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseCreated"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCurrentLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the license. */
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change only this revision: an ETag, or *. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the license. */
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeLicense"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createLicenseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the license. */
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateLicenseKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the license. */
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    uploadCdnFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    cdnRequest: components["schemas"]["CdnRequest"];
                    /** @description The file. */
                    cdnFile: unknown;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            /** @description Service Unavailable */
            503: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getCdnFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /** @description Answer 206 with this part, such as `bytes=0-99`; with `If-Range`, only of content with that ETag. */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /** @description Folder of the file. */
                type: string;
                /** @description Name of the file, slashes included. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Found */
            302: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            416: components["responses"]["Problem416"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            /** @description Service Unavailable */
            503: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            /** @description Service Unavailable */
            503: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwkSet"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsStatus"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pageDeadLetters: {
        parameters: {
            query?: {
                /** @description Index of the page, from 0. */
                page?: number;
                /** @description Records per page. */
                size?: number;
                /** @description Field to sort by, ascending unless `,desc` follows; ties are in the order of creation. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryDeadLetter: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer 202 as soon as the change is stored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id of the dead letter: the stream of the event, a colon, and its revision. */
                deadLetterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterRetry"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rebuild"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    requestRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rebuild"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getApiDocs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Version of OpenAPI.
                         * @example 3.1.0
                         */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The ETag is still the same. */
            304: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
