/** Types of the interface, for openapi-fetch. Made from the OpenAPI document by `npm run client`: do not edit them. */
export interface paths {
    "/api/v1/laps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List every Lap */
        get: operations["listLaps"];
        put?: never;
        /** Create one Lap */
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
        /** Get a page of the Lap list */
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
        /** Get one Lap */
        get: operations["getLap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Lap */
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
        /** List the changes of one Lap, oldest first */
        get: operations["getLapHistory"];
        put?: never;
        post?: never;
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
        /** List every Participant */
        get: operations["listParticipants"];
        put?: never;
        /** Register one Participant; 200 with the existing one when the licence has a participant already */
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
        /** Get a page of the Participant list */
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
        /** Get one Participant */
        get: operations["getParticipant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Participant */
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
        /** List the changes of one Participant, oldest first */
        get: operations["getParticipantHistory"];
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
        /** List every Event */
        get: operations["listEvents"];
        put?: never;
        /** Create one Event */
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
        /** Get a page of the Event list */
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
        /** Get one Event */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Event */
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
        /** List the changes of one Event, oldest first */
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
        /** Get a page of the leaderboard of an Event: the best lap of each participant */
        get: operations["getLeaderboard"];
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
        /** List every Rig */
        get: operations["listRigs"];
        put?: never;
        /** Register a rig with a licence file; the token of its key is shown only here */
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
        /** Get a page of the Rig list */
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
        /** Get the rig with a hardwareId */
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
        /** Get one Rig */
        get: operations["getRig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Rig */
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
        /** List the changes of one Rig, oldest first */
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
        /** Issue a new key to a rig, and revoke its others; the token is shown only here */
        post: operations["issueRigKey"];
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
        /** List every SignupField */
        get: operations["listSignupFields"];
        put?: never;
        /** Create one SignupField */
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
        /** Get a page of the SignupField list */
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
        /** Get one SignupField */
        get: operations["getSignupField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one SignupField */
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
        /** List every Simulator */
        get: operations["listSimulators"];
        put?: never;
        /** Create one Simulator */
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
        /** Get one Simulator */
        get: operations["getSimulator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Simulator */
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
        /** List every SimulatorLayout of a simulator */
        get: operations["listSimulatorLayouts"];
        put?: never;
        /** Create one SimulatorLayout */
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
        /** Get one SimulatorLayout */
        get: operations["getSimulatorLayout"];
        put?: never;
        post?: never;
        /** Take one SimulatorLayout back */
        delete: operations["deleteSimulatorLayout"];
        options?: never;
        head?: never;
        /** Change one SimulatorLayout */
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
        /** List every SimulatorCar of a simulator */
        get: operations["listSimulatorCars"];
        put?: never;
        /** Create one SimulatorCar */
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
        /** Get one SimulatorCar */
        get: operations["getSimulatorCar"];
        put?: never;
        post?: never;
        /** Take one SimulatorCar back */
        delete: operations["deleteSimulatorCar"];
        options?: never;
        head?: never;
        /** Change one SimulatorCar */
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
        /** List every Track */
        get: operations["listTracks"];
        put?: never;
        /** Create one Track */
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
        /** Get a page of the Track list */
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
        /** Get one Track */
        get: operations["getTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Track */
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
        /** List every TrackLayout */
        get: operations["listTrackLayouts"];
        put?: never;
        /** Create one TrackLayout */
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
        /** Get a page of the TrackLayout list */
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
        /** Get one TrackLayout */
        get: operations["getTrackLayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one TrackLayout */
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
        /** List every Car */
        get: operations["listCars"];
        put?: never;
        /** Create one Car */
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
        /** Get a page of the Car list */
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
        /** Get one Car */
        get: operations["getCar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Car */
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
        /** List every CarBrand */
        get: operations["listCarBrands"];
        put?: never;
        /** Create one CarBrand */
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
        /** Get a page of the CarBrand list */
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
        /** Get one CarBrand */
        get: operations["getCarBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one CarBrand */
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
        /** List every CarClass */
        get: operations["listCarClasses"];
        put?: never;
        /** Create one CarClass */
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
        /** Get a page of the CarClass list */
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
        /** Get one CarClass */
        get: operations["getCarClass"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one CarClass */
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
        /** List every Brand */
        get: operations["listBrands"];
        put?: never;
        /** Create one Brand */
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
        /** Get a page of the Brand list */
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
        /** Get one Brand */
        get: operations["getBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one Brand */
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
        /** List the keys of the own licence */
        get: operations["listApiKeys"];
        put?: never;
        /** Issue a key under the own licence; its token is shown only here */
        post: operations["createApiKey"];
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
        /** Get one key of the own licence; ADMIN: of any */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /** Revoke a key for ever; requests under way with it fail at once */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /** Change the name or role of a key */
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
        /** Give a key a new token, shown only here; the old one may be valid for a while yet */
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
        /** List every License */
        get: operations["listLicenses"];
        put?: never;
        /** Issue a licence with a bootstrap key; its token is shown only here */
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
        /** Get the licence of the calling key */
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
        /** Get the own licence; ADMIN: any */
        get: operations["getLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change, disable or expire a licence */
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
        /** Get a signed licence file, with which rigs register */
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
        /** Give a licence a new licence key: files with the one of before are worthless */
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
        /** Upload a file, to be referred to by the key {type}/{targetName} */
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
        /** Download a file that was uploaded; where CDN_BASE_URL is set, a redirect to where it is */
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
        /** How the service and its parts are */
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
        /** Whether the process answers at all */
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
        /** Whether requests should be sent here */
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
        /** Metrics in the text format of Prometheus */
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
        /** Public keys that licence files are signed with */
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
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
        /** This document */
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
        Problem: {
            /**
             * Format: uri
             * @description Names the kind of problem; the same for every occurrence.
             */
            type: string;
            title: string;
            status: number;
            /** @description What went wrong this time. */
            detail: string;
            /** @description Path of the request. */
            instance: string;
            errors?: {
                /** @description JSON pointer (RFC 6901) into the body as a URI fragment, or #/query/…, #/path/…, #/header/…. */
                pointer: string;
                detail: string;
            }[];
        };
        Lap: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            participantId: string;
            participantName: string;
            /** Format: uuid */
            rigId: string;
            rigName: string | null;
            /** Format: uuid */
            eventId: string;
            eventName: string;
            sectors: number[];
            totalTime: number;
            valid: boolean;
            /** Format: uuid */
            car: string;
            /** Format: uuid */
            trackId: string;
            trackDisplayName: string;
            /**
             * Format: date-time
             * @description When it was driven: when it was recorded, unless said.
             */
            drivenAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        LapPage: {
            content: components["schemas"]["Lap"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        Change: {
            /** @description Place among the changes of the resource, from 0. */
            revision: number;
            /** @description Place among all events of the service. */
            position: number;
            /**
             * @description What happened.
             * @example LapInvalidated
             */
            type: string;
            /** Format: date-time */
            at: string;
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
             */
            apiKeyId: string | null;
            /** @description Name of the key by now. */
            apiKeyName: string | null;
            /** @description First characters of its token. */
            keyPrefix: string | null;
            /**
             * Format: uuid
             * @description Licence of the key.
             */
            licenseId: string | null;
            /** @description Why, as the request said; null: it said nothing. */
            reason: string | null;
            /** @description `X-Request-Id` of the request. */
            requestId: string;
        };
        Accepted: {
            id: string;
            /** @enum {string} */
            status: "accepted";
        };
        RecordLap: {
            /** Format: uuid */
            participantId: string;
            /** Format: uuid */
            rigId: string;
            /** Format: uuid */
            eventId: string;
            sectors: number[];
            totalTime: number;
            valid: boolean;
            /** Format: uuid */
            carId: string;
            /** Format: uuid */
            trackId: string;
            /**
             * Format: date-time
             * @description When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.
             */
            drivenAt?: string;
        };
        ChangeLap: {
            /** Format: uuid */
            participantId?: string;
            /** Format: uuid */
            rigId?: string;
            /** Format: uuid */
            eventId?: string;
            sectors?: number[];
            totalTime?: number;
            valid?: boolean;
            /** Format: uuid */
            carId?: string;
            /** Format: uuid */
            trackId?: string;
            /**
             * Format: date-time
             * @description When it was driven, at most 5 minutes ahead of the server; absent: when it is recorded.
             */
            drivenAt?: string;
            /** @description Why: kept in the history with every event of this change, not in the lap. */
            reason?: string;
        };
        Participant: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            licenseId: string;
            licenseDisplayName: string;
            firstName: string;
            lastName: string;
            email: string;
            phoneNumber: string;
            extraFieldsJson: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ParticipantPage: {
            content: components["schemas"]["Participant"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        RegisterParticipant: {
            /** Format: uuid */
            licenseId: string;
            firstName: string;
            lastName: string;
            email: string;
            phoneNumber: string;
            /** @description Default: `{}`. */
            extraFieldsJson?: string | {
                [key: string]: unknown;
            };
        };
        ChangeParticipant: {
            /** Format: uuid */
            licenseId?: string;
            firstName?: string;
            lastName?: string;
            email?: string;
            phoneNumber?: string;
            extraFieldsJson?: {
                [key: string]: unknown;
            };
        };
        Event: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            description: string;
            /** @enum {string|null} */
            mode: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /** Format: date-time */
            startsAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            /** Format: uuid */
            simulatorId: string;
            simulatorDisplayName: string;
            carIds: string[];
            trackLayoutIds: string[];
            rigIds: string[];
            brandIds: string[];
            i18nJson: {
                [key: string]: unknown;
            } | null;
            settingsJson: {
                [key: string]: unknown;
            } | null;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        EventPage: {
            content: components["schemas"]["Event"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        Leaderboard: {
            content: components["schemas"]["LeaderboardRow"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
            leaderboard: components["schemas"]["LeaderboardHead"];
        };
        LeaderboardRow: {
            /** @description From 1; equal times share it, in the order of driving. */
            position: number;
            /** Format: uuid */
            participantId: string;
            participantName: string;
            bestLap: {
                /** Format: uuid */
                lapId: string;
                totalTime: number;
                sectors: number[];
                /** Format: uuid */
                car: string;
                carDisplayName: string;
                /** Format: uuid */
                trackId: string;
                trackDisplayName: string;
                /** Format: date-time */
                drivenAt: string;
                /** Format: date-time */
                createdAt: string;
            };
            /** @description ms; null for the leader. */
            gapToLeader: number | null;
            /** @description ms to the row before; null for the leader. */
            gapToNext: number | null;
            /** @description Laps that fit the filter, valid or not. */
            laps: number;
            validLaps: number;
            /** @description ms of each sector, by its place in a lap. */
            bestSectors: number[];
            /** @description Sum of the best sectors; null when not all laps that count have the same number of sectors. */
            theoreticalBest: number | null;
        };
        LeaderboardHead: {
            /** Format: uuid */
            eventId: string;
            eventName: string;
            bestSectors: {
                /** @description Place of the sector in a lap, from 1. */
                sector: number;
                time: number;
                /** Format: uuid */
                participantId: string;
                participantName: string;
            }[];
            /** @description Sum of the best sectors; null when not all laps that count have the same number of sectors. */
            theoreticalBest: number | null;
            /**
             * Format: date-time
             * @description The moment that was asked for; null: now.
             */
            asOf: string | null;
        };
        ScheduleRacingEvent: {
            name: string;
            slug: string;
            description: string;
            /**
             * @description Default: `null`.
             * @enum {string|null}
             */
            mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /**
             * Format: date-time
             * @description Default: `null`.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Default: `null`.
             */
            endsAt?: string | null;
            /** Format: uuid */
            simulatorId: string;
            carIds: string[];
            trackLayoutIds: string[];
            rigIds: string[];
            brandIds: string[];
            i18nJson?: {
                [key: string]: unknown;
            } | null;
            settingsJson?: {
                [key: string]: unknown;
            } | null;
            /** @description Default: `false`. */
            enabled?: boolean;
        };
        ChangeRacingEvent: {
            name?: string;
            slug?: string;
            description?: string;
            /** @enum {string|null} */
            mode?: "HOTLAP" | "PRACTICE" | "AI_RACE" | "MULTIPLAYER_RACE" | null;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            endsAt?: string | null;
            /** Format: uuid */
            simulatorId?: string;
            carIds?: string[];
            trackLayoutIds?: string[];
            rigIds?: string[];
            brandIds?: string[];
            i18nJson?: {
                [key: string]: unknown;
            } | null;
            settingsJson?: {
                [key: string]: unknown;
            } | null;
            enabled?: boolean;
        };
        Rig: {
            /** Format: uuid */
            id: string;
            name: string | null;
            description: string | null;
            hardwareId: string;
            /** Format: uuid */
            licenseId: string;
            licenseDisplayName: string;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RigPage: {
            content: components["schemas"]["Rig"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        RigRegistered: {
            rig: components["schemas"]["Rig"];
            apiKey: components["schemas"]["ApiKeyCreated"];
        };
        ApiKeyCreated: {
            apiKey: components["schemas"]["ApiKey"];
            token: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            licenseId: string;
            name: string;
            keyPrefix: string;
            /** @enum {string} */
            role: "R" | "CR" | "CRUD" | "ADMIN";
            enabled: boolean;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RegisterRig: {
            hardwareId: string;
            licenseFile: components["schemas"]["LicenseFile"];
        };
        LicenseFile: {
            /** Format: uuid */
            licenseId: string;
            licenseKey: string;
            /** Format: date-time */
            issuedAt: string;
            signature: string;
        };
        ChangeRig: {
            name?: string;
            description?: string | null;
            hardwareId?: string;
            /** Format: uuid */
            licenseId?: string;
            enabled?: boolean;
        };
        SignupField: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            eventId: string;
            eventName: string;
            fieldKey: string;
            label: string;
            description: string | null;
            /** @enum {string} */
            type: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            required: boolean;
            sortOrder: number | null;
            /** @description Any JSON value */
            optionsJson: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /** @description Any JSON value */
            defaultJson: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            i18nJson: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SignupFieldPage: {
            content: components["schemas"]["SignupField"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddSignupField: {
            /** Format: uuid */
            eventId: string;
            fieldKey: string;
            label: string;
            /** @description Default: `null`. */
            description?: string | null;
            /**
             * @description Default: `"TEXT"`.
             * @enum {string}
             */
            type?: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            /** @description Default: `false`. */
            required?: boolean;
            /** @description Default: `null`. */
            sortOrder?: number | null;
            /** @description Any JSON value */
            optionsJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /** @description Any JSON value */
            defaultJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            i18nJson?: {
                [key: string]: unknown;
            } | null;
        };
        ChangeSignupField: {
            /** Format: uuid */
            eventId?: string;
            fieldKey?: string;
            label?: string;
            description?: string | null;
            /** @enum {string} */
            type?: "TEXT" | "TEXT_AREA" | "EMAIL" | "NUMBER" | "SELECT" | "CHECKBOX" | "CONSENT" | "DATE";
            required?: boolean;
            sortOrder?: number | null;
            /** @description Any JSON value */
            optionsJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            /** @description Any JSON value */
            defaultJson?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean | null;
            i18nJson?: {
                [key: string]: unknown;
            } | null;
        };
        Simulator: {
            /** Format: uuid */
            id: string;
            displayName: string;
            slug: string;
            logo: string;
            logo_wide: string;
            svg: boolean;
            layouts: components["schemas"]["SimulatorLayout"][];
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SimulatorLayout: {
            /** Format: uuid */
            simulatorId: string;
            simulatorDisplayName: string;
            /** Format: uuid */
            trackLayoutId: string;
            trackLayoutDisplayName: string;
            simulatorIdentifier: string;
        };
        AddSimulator: {
            displayName: string;
            slug: string;
            logo: string;
            logoWide: string;
            /** @description Default: `false`. */
            svg?: boolean;
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeSimulator: {
            displayName: string;
            slug: string;
            logo: string;
            logoWide: string;
            svg?: boolean;
            enabled?: boolean;
        };
        MapTrackLayout: {
            /** Format: uuid */
            trackLayoutId: string;
            simulatorIdentifier: string;
        };
        ChangeTrackLayoutMapping: {
            simulatorIdentifier: string;
        };
        SimulatorCar: {
            /** Format: uuid */
            simulatorId: string;
            simulatorDisplayName: string;
            /** Format: uuid */
            carId: string;
            carDisplayName: string;
            /** Format: uuid */
            carBrandId: string;
            carBrandDisplayName: string;
            /** Format: uuid */
            carClassId: string;
            carClassDisplayName: string;
            simulatorIdentifier: string;
            contentId: string | null;
        };
        MapCar: {
            /** Format: uuid */
            carId: string;
            simulatorIdentifier: string;
            /** @description Default: `null`. */
            contentId?: string | null;
        };
        ChangeCarMapping: {
            simulatorIdentifier: string;
            contentId?: string | null;
        };
        Track: {
            /** Format: uuid */
            id: string;
            displayName: string;
            alternativeNames: string[];
            slug: string;
            logo: string;
            svg: boolean;
            country: string;
            location: string;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TrackPage: {
            content: components["schemas"]["Track"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddTrack: {
            displayName: string;
            alternativeNames: string[];
            slug: string;
            logo: string;
            /** @description Default: `false`. */
            svg?: boolean;
            country: string;
            location: string;
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeTrack: {
            displayName?: string;
            alternativeNames?: string[];
            slug?: string;
            logo?: string;
            svg?: boolean;
            country?: string;
            location?: string;
            enabled?: boolean;
        };
        TrackLayout: {
            /** Format: uuid */
            id: string;
            displayName: string;
            slug: string;
            /** @enum {string} */
            type: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /** Format: uuid */
            trackId: string;
            trackDisplayName: string;
            length: number;
            firstUsage: number;
            lastUsage: number;
            cornerCount: number;
            cornerNames: string[];
            trackMap: string;
            trackImages: string[];
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TrackLayoutPage: {
            content: components["schemas"]["TrackLayout"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddTrackLayout: {
            displayName: string;
            slug: string;
            /** @enum {string} */
            type: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /** Format: uuid */
            trackId: string;
            length: number;
            firstUsage: number;
            lastUsage: number;
            cornerCount: number;
            cornerNames: string[];
            trackMap: string;
            trackImages: string[];
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeTrackLayout: {
            displayName?: string;
            slug?: string;
            /** @enum {string} */
            type?: "PERMANENT_ROAD" | "PERMANENT_DIRT" | "PERMANENT_OVAL" | "TEMPORARY_ROAD" | "TEMPORARY_DIRT" | "TEMPORARY_OVAL" | "STREET_CIRCUIT_ROAD" | "STREET_CIRCUIT_DIRT" | "RALLY";
            /** Format: uuid */
            trackId?: string;
            length?: number;
            firstUsage?: number;
            lastUsage?: number;
            cornerCount?: number;
            cornerNames?: string[];
            trackMap?: string;
            trackImages?: string[];
            enabled?: boolean;
        };
        Car: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            brandId: string;
            brandDisplayName: string;
            modelName: string;
            /** Format: uuid */
            carClassId: string;
            carClassDisplayName: string;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CarPage: {
            content: components["schemas"]["Car"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddCar: {
            /** Format: uuid */
            brandId: string;
            modelName: string;
            /** Format: uuid */
            carClassId: string;
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeCar: {
            /** Format: uuid */
            brandId?: string;
            modelName?: string;
            /** Format: uuid */
            carClassId?: string;
            enabled?: boolean;
        };
        CarBrand: {
            /** Format: uuid */
            id: string;
            displayName: string;
            slug: string;
            logo: string;
            svg: boolean;
            country: string;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CarBrandPage: {
            content: components["schemas"]["CarBrand"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddCarBrand: {
            displayName: string;
            slug: string;
            logo: string;
            /** @description Default: `false`. */
            svg?: boolean;
            country: string;
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeCarBrand: {
            displayName?: string;
            slug?: string;
            logo?: string;
            svg?: boolean;
            country?: string;
            enabled?: boolean;
        };
        CarClass: {
            /** Format: uuid */
            id: string;
            displayName: string;
            shortName: string;
            logo: string;
            svg: boolean;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CarClassPage: {
            content: components["schemas"]["CarClass"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddCarClass: {
            displayName: string;
            shortName: string;
            logo: string;
            /** @description Default: `false`. */
            svg?: boolean;
            /** @description Default: `true`. */
            enabled?: boolean;
        };
        ChangeCarClass: {
            displayName?: string;
            shortName?: string;
            logo?: string;
            svg?: boolean;
            enabled?: boolean;
        };
        Brand: {
            /** Format: uuid */
            id: string;
            name: string;
            websiteUrl: string;
            logo: string;
            logoScalePercent: number;
            logoUrl: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        BrandPage: {
            content: components["schemas"]["Brand"][];
            page: number;
            number: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
            empty: boolean;
        };
        AddBrand: {
            name: string;
            websiteUrl: string;
            logo: string;
            /** @description Default: `false`. */
            logoUrl?: boolean;
            /** @description Default: `100`. */
            logoScalePercentage?: number;
        };
        ChangeBrand: {
            name?: string;
            websiteUrl?: string;
            logo?: string;
            logoUrl?: boolean;
            logoScalePercentage?: number;
        };
        IssueApiKey: {
            name: string;
            /** @enum {string} */
            role: "R" | "CR" | "CRUD" | "ADMIN";
            /**
             * Format: date-time
             * @description Default: `null`.
             */
            expiresAt?: string | null;
        };
        ChangeApiKey: {
            name?: string;
            /** @enum {string} */
            role?: "R" | "CR" | "CRUD" | "ADMIN";
            /** Format: date-time */
            expiresAt?: string | null;
        };
        RotateApiKey: {
            /** @description Default: `0`. */
            graceSeconds?: number;
        };
        License: {
            /** Format: uuid */
            id: string;
            name: string;
            displayName: string;
            licenseKey: string;
            enabled: boolean;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastLoginAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        LicenseCreated: {
            license: components["schemas"]["License"];
            apiKey: components["schemas"]["ApiKeyCreated"];
        };
        IssueLicense: {
            name: string;
            displayName: string;
        };
        ChangeLicense: {
            displayName?: string;
            enabled?: boolean;
            /** Format: date-time */
            expiresAt?: string | null;
        };
        CdnRequest: {
            /** @enum {string} */
            type: "BRAND" | "CLASS" | "COUNTRY" | "LOGO" | "TRACK";
            /** @description Name below the folder of its type, folders included. */
            targetName: string;
        };
        Health: {
            /** @enum {string} */
            status: "UP" | "DOWN";
            components: {
                [key: string]: {
                    /** @enum {string} */
                    status: "UP" | "DOWN";
                } & {
                    [key: string]: string | number | boolean | null;
                };
            };
        };
        Liveness: {
            /** @enum {string} */
            status: "UP" | "DOWN";
        };
        JwkSet: {
            keys: {
                [key: string]: string;
            }[];
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
                /** @description Only with this eventId. */
                eventId?: string;
                /** @description Only with this participantId. */
                participantId?: string;
                /** @description Only with this rigId. */
                rigId?: string;
                /** @description Only with this car. */
                carId?: string;
                /** @description Only with this trackId. */
                trackId?: string;
                /** @description Only with this valid. */
                valid?: boolean;
                /** @description Only with a createdAt at this moment or later. */
                from?: string;
                /** @description Only with a createdAt before this moment. */
                to?: string;
                /** @description Only with a drivenAt at this moment or later. */
                drivenFrom?: string;
                /** @description Only with a drivenAt before this moment. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this eventId. */
                eventId?: string;
                /** @description Only with this participantId. */
                participantId?: string;
                /** @description Only with this rigId. */
                rigId?: string;
                /** @description Only with this car. */
                carId?: string;
                /** @description Only with this trackId. */
                trackId?: string;
                /** @description Only with this valid. */
                valid?: boolean;
                /** @description Only with a createdAt at this moment or later. */
                from?: string;
                /** @description Only with a createdAt before this moment. */
                to?: string;
                /** @description Only with a drivenAt at this moment or later. */
                drivenFrom?: string;
                /** @description Only with a drivenAt before this moment. */
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
    listParticipants: {
        parameters: {
            query?: {
                /** @description Only with this licenseId. */
                licenseId?: string;
                /** @description Only with this email. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this licenseId. */
                licenseId?: string;
                /** @description Only with this email. */
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
    listEvents: {
        parameters: {
            query?: {
                /** @description Only with this simulatorId. */
                simulatorId?: string;
                /** @description Only with this among the rigIds. */
                rigId?: string;
                /** @description Only with this mode. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this simulatorId. */
                simulatorId?: string;
                /** @description Only with this among the rigIds. */
                rigId?: string;
                /** @description Only with this mode. */
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
                /** @description Laps on this layout only. */
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
    listRigs: {
        parameters: {
            query?: {
                /** @description Only with this licenseId. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this licenseId. */
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
    listSignupFields: {
        parameters: {
            query?: {
                /** @description Only with this eventId. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this eventId. */
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
                simulatorId: string;
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
                simulatorId: string;
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
                simulatorId: string;
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
                simulatorId: string;
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
                simulatorId: string;
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
                simulatorId: string;
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
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
                /** @description Only with this trackId. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this trackId. */
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
                /** @description Only with this brandId. */
                brandId?: string;
                /** @description Only with this carClassId. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
                sort?: string;
                /** @description Only with this brandId. */
                brandId?: string;
                /** @description Only with this carClassId. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
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
                /** @description Field to sort by, ascending unless `,desc` follows; ties are ordered by id. */
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
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 when the ETag is still one of these. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
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
                type: string;
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
