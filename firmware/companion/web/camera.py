"""The phone that is the table's camera: it takes the eye's place, sends its pictures, and leaves."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from companion.devices.camera_phone import Wanted
from companion.web.guard.access import CAMERA_WRITES, PICTURES
from companion.web.guard.clients import client_of, require_trusted
from companion.web.language import words_of
from companion.web.pages import render
from companion.web.schema import CameraRequest, problem, problems
from companion.web.table import table_of
from companion.web.writes import WRITE_PROBLEMS
from dicereader.data.pictures import JPEG_MAGIC

router = APIRouter(responses=problems(421))


@router.get("/camera", response_class=HTMLResponse)
async def camera_page(request: Request) -> HTMLResponse:
    """Return the page on which a phone becomes the table's camera."""
    phone = client_of(request).phone
    return render(request, "camera.html", {"seat": phone.seat if phone else ""})


@router.post(CAMERA_WRITES, status_code=204, responses={**WRITE_PROBLEMS, **problems(404)})
async def become_camera(request: Request, body: CameraRequest) -> Response:
    """Make this phone the camera. It gives up its player's place, because nobody holds it."""
    camera, client, words = table_of(request).camera, client_of(request), words_of(request)
    if camera is None:
        return _no_phone(request)
    name = client.phone.name if client.phone else words("phone_camera.here")
    if other := camera.take(client.id, name, over=body.over):
        return problem(409, words("access.other_camera", name=other))
    if client.phone is not None:
        phones = table_of(request).pairing.phones
        phones.sit(client.phone.id, "")
        phones.did(client.phone.id, "camera")
    return Response(status_code=204)


@router.delete(CAMERA_WRITES, status_code=204, responses=WRITE_PROBLEMS)
async def leave_camera(request: Request) -> Response:
    """Be the camera no longer."""
    camera = table_of(request).camera
    if camera is not None:
        camera.leave(client_of(request).id)
    return Response(status_code=204)


@router.post(
    PICTURES,
    response_model=Wanted,
    responses={**WRITE_PROBLEMS, **problems(404, 413)},
    dependencies=[Depends(require_trusted)],
    openapi_extra={"requestBody": {"required": True, "content": {"image/jpeg": {"schema": {"type": "string"}}}}},
)
async def take_picture(request: Request) -> Response:
    """Show the eye the camera's next picture, and return what is wanted of the ones after it."""
    camera = table_of(request).camera
    if camera is None:
        return _no_phone(request)
    picture = await request.body()
    if not picture.startswith(JPEG_MAGIC):
        return problem(422, f"expected a JPEG, got {len(picture)} bytes of something else")
    return JSONResponse(vars(camera.give(picture)))


def _no_phone(request: Request) -> Response:
    return problem(404, words_of(request)("access.no_camera_phone"))
